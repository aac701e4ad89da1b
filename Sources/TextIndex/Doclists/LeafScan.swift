/// Goes through leaves for terms that are sought, and hands their doclists to a sink.
struct LeafScan {
  private let selection: SegmentReader.Selection
  private let wanted: [UInt8]
  private let columnCount: Int
  /// The last term that was read. Others share its beginning.
  private var term: [UInt8] = []
  /// Whether the doclist of a sought term may go on.
  private var isInside = false

  init(_ selection: SegmentReader.Selection, _ wanted: [UInt8], columnCount: Int) {
    self.selection = selection
    self.wanted = wanted
    self.columnCount = columnCount
  }

  /// Goes through a leaf.
  ///
  /// - Returns: whether the next leaf must be read.
  mutating func scan<Sink: DoclistConsumer & ~Copyable>(
    _ leaf: UnsafeBufferPointer<UInt8>, into sink: inout Sink
  ) throws -> Bool {
    guard let start = leaf.baseAddress, leaf.count >= DoclistFormat.headerSize else { throw DoclistDamage.truncated }
    let firstRow = Int(leaf[0]) << 8 | Int(leaf[1])
    let footer = Int(leaf[2]) << 8 | Int(leaf[3])
    guard footer >= DoclistFormat.headerSize, footer <= leaf.count else { throw DoclistDamage.badNumber }
    var pageIndex = ByteReader(start + footer, end: start + leaf.count)
    var offset = pageIndex.isAtEnd ? nil : try Self.termOffset(&pageIndex, after: 0, footer: footer)
    if isInside {
      try sink.continueDoclist(
        ByteReader(start + DoclistFormat.headerSize, end: start + (offset ?? footer)),
        firstRow: firstRow == 0 ? nil : start + firstRow)
      if offset != nil { try endDoclist(&sink) }
    }
    // A leaf that one is led to begins a term; on the way to a prefix there may be some with a part of a doclist alone.
    if offset == nil, !isInside, case .term = selection { throw DoclistDamage.badNumber }
    var isFirst = true
    while let current = offset {
      let next = pageIndex.isAtEnd ? nil : try Self.termOffset(&pageIndex, after: current, footer: footer)
      var content = ByteReader(start + current, end: start + (next ?? footer))
      try readTerm(&content, isFirst: isFirst)
      isFirst = false
      switch place() {
      case .before: break
      case .wanted:
        sink.beginDoclist(term)
        isInside = true
        try sink.readRows(content)
        if next != nil {
          try endDoclist(&sink)
          if case .term = selection { return false }
        }
      case .behind: return false
      }
      offset = next
    }
    if isInside { return true }
    // The terms of the next leaf are above the one that was sought here, but may begin with a prefix.
    if case .terms = selection { return true }
    return false
  }

  /// Ends what goes on to the end of the segment.
  mutating func finish<Sink: DoclistConsumer & ~Copyable>(into sink: inout Sink) throws {
    if isInside { try endDoclist(&sink) }
  }

  private mutating func endDoclist<Sink: DoclistConsumer & ~Copyable>(_ sink: inout Sink) throws {
    isInside = false
    try sink.endDoclist()
  }

  private static func termOffset(
    _ index: inout ByteReader, after previous: Int, footer: Int
  ) throws(DoclistDamage) -> Int {
    let offset = previous + (try index.number(upTo: UInt64(footer)))
    guard offset > previous, offset >= DoclistFormat.headerSize, offset < footer else { throw .badNumber }
    return offset
  }

  private mutating func readTerm(_ content: inout ByteReader, isFirst: Bool) throws(DoclistDamage) {
    let shared = isFirst ? 0 : try content.number(upTo: UInt64(term.count))
    let rest = try content.bytes(content.number(upTo: UInt64(content.count)))
    term.removeSubrange(shared...)
    term.append(contentsOf: rest)
  }

  private enum Place { case before, wanted, behind }

  private func place() -> Place {
    let shared = min(term.count, wanted.count)
    for number in 0..<shared where term[number] != wanted[number] {
      return term[number] < wanted[number] ? .before : .behind
    }
    if term.count < wanted.count { return .before }
    if term.count == wanted.count { return .wanted }
    if case .terms = selection { return .wanted }
    return .behind
  }
}
