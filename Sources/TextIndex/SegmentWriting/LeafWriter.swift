/// Writes the terms and doclists of a segment as the leaves and the rows of `t_idx` that ``DoclistFormat`` describes.
/// They are divided into leaves as FTS5 divides them.
struct LeafWriter: ~Copyable {
  /// Receives the parts of the segment.
  struct Output {
    /// Stores a block of `t_data`.
    let block: (_ id: Int64, UnsafeRawBufferPointer) throws -> Void
    /// Stores a row of `t_idx`.
    let separator: (_ term: UnsafeRawBufferPointer, _ page: Int64) throws -> Void
  }

  private let segment: Int64
  private let pageSize: Int
  private let detail: PostingsHash.Detail
  private let output: Output

  /// The leaf that is being written, with its header.
  private var leaf: GrowableBuffer<UInt8>
  private var pageIndex: GrowableBuffer<UInt8>
  /// The offset of the last term on the leaf; 0 if there is none.
  private var lastTermOffset = 0
  private var number: Int64 = 1
  /// The last term with its prefix; empty before the first one.
  private var term = GrowableBuffer<UInt8>(capacity: 256)
  private var hasTerm = false
  private var hasFirstRow = false
  /// The separator of the last leaf on which a term begins, and the number of leaves without a term after it.
  private var separator: (term: [UInt8], leaf: Int64) = ([], 1)
  private var leavesWithoutTerm = 0
  private var doclistIndex: DoclistIndexWriter

  /// FTS5 writes a doclist index if a doclist has at least this number of leaves on which no term begins.
  private static let leavesOfDoclistIndex = 4

  init(segment: Int64, pageSize: Int, detail: PostingsHash.Detail, _ output: Output) {
    self.segment = segment
    self.pageSize = pageSize
    self.detail = detail
    self.output = output
    leaf = GrowableBuffer<UInt8>(capacity: 2 * pageSize)
    pageIndex = GrowableBuffer<UInt8>(capacity: pageSize)
    leaf.appendHeader()
    doclistIndex = DoclistIndexWriter(segment: segment, pageSize: pageSize, output.block)
  }

  /// Writes a term and its doclist. Terms must be in byte order.
  mutating func append(_ term: UnsafeBufferPointer<UInt8>, _ doclist: UnsafeBufferPointer<UInt8>) throws {
    try begin(term)
    guard let start = doclist.baseAddress else { return }
    if leaf.count + pageIndex.count + doclist.count < pageSize {
      leaf.append(doclist)
    } else {
      try divide(start, start + doclist.count)
    }
  }

  /// Writes the last leaf.
  ///
  /// - Returns: the number of leaves.
  mutating func finish() throws -> Int64 {
    if leaf.count > DoclistFormat.headerSize { try endLeaf() }
    if number > 1 { try writeSeparator() }
    return number - 1
  }

  private mutating func begin(_ term: UnsafeBufferPointer<UInt8>) throws {
    let length = term.count + 1
    if leaf.count + pageIndex.count + length + 2 >= pageSize, leaf.count > DoclistFormat.headerSize { try endLeaf() }
    let shared = sharedLength(term)
    pageIndex.appendVarint(UInt64(leaf.count - lastTermOffset))
    lastTermOffset = leaf.count
    if hasTerm {
      leaf.appendVarint(UInt64(shared))
      append(term, from: shared)
    } else {
      if number > 1 {
        try writeSeparator()
        // The shortest prefix of this term that sorts after the last term.
        separator = ([DoclistFormat.termPrefix] + term.prefix(self.term.count == 0 ? term.count : shared), number)
      }
      append(term, from: 0)
    }
    self.term.removeAll()
    self.term.append(DoclistFormat.termPrefix)
    self.term.append(term)
    hasTerm = true
    // The first row after a term is found through the term.
    hasFirstRow = true
    doclistIndex.begin(leaf: number)
  }

  /// Returns the number of bytes, including the term prefix, that a term shares with the last one.
  private func sharedLength(_ term: UnsafeBufferPointer<UInt8>) -> Int {
    guard self.term.count > 0 else { return 0 }
    let last = self.term.start + 1
    let count = min(term.count, self.term.count - 1)
    var shared = 0
    while shared < count, term[shared] == last[shared] { shared += 1 }
    return shared + 1
  }

  /// Appends the length and the bytes of a term without its first `shared` bytes.
  private mutating func append(_ term: UnsafeBufferPointer<UInt8>, from shared: Int) {
    leaf.appendVarint(UInt64(term.count + 1 - shared))
    if shared == 0 { leaf.append(DoclistFormat.termPrefix) }
    leaf.append(UnsafeBufferPointer(rebasing: term[max(0, shared - 1)...]))
  }

  /// Writes a doclist that does not fit on the leaf.
  private mutating func divide(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) throws {
    var position = start
    var row: UInt64 = 0
    while position < end {
      if hasFirstRow, detail == .full, appendWholeRows(&position, end, &row) { continue }
      let (delta, length) = position.readVarint()
      position += length
      row &+= delta
      if hasFirstRow {
        leaf.appendVarint(delta)
      } else {
        leaf.storeBigEndian(UInt16(truncatingIfNeeded: leaf.count), at: 0)
        leaf.appendVarint(row)
        hasFirstRow = true
        try doclistIndex.append(row: Int64(bitPattern: row), leaf: number)
      }
      switch detail {
      case .none:
        // Up to two bytes 0 mark a removal.
        var markCount = 0
        while markCount < 2, position < end, position.pointee == 0 {
          leaf.append(0)
          position += 1
          markCount += 1
        }
        if leaf.count + pageIndex.count >= pageSize { try endLeaf() }
      case .full: try appendPoslist(&position)
      }
    }
  }

  /// Appends the next rows that fit on the leaf.
  ///
  /// - Returns: false if there are none.
  private mutating func appendWholeRows(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ row: inout UInt64
  ) -> Bool {
    let space = pageSize - leaf.count - pageIndex.count
    let start = position
    while position < end {
      let (delta, rowLength) = position.readVarint()
      let (size, sizeLength) = (position + rowLength).readVarint()
      let next = position + rowLength + sizeLength + Int(size / 2)
      guard next - start <= space else { break }
      row &+= delta
      position = next
    }
    leaf.append(UnsafeBufferPointer(start: start, count: position - start))
    return position > start
  }

  /// Appends a poslist with its size, and continues on the next leaf if necessary.
  private mutating func appendPoslist(_ position: inout UnsafePointer<UInt8>) throws {
    let (size, sizeLength) = position.readVarint()
    var rest = sizeLength + Int(size / 2)
    guard leaf.count + pageIndex.count + rest > pageSize else {
      leaf.append(UnsafeBufferPointer(start: position, count: rest))
      position += rest
      return
    }
    while rest > 0 {
      let space = pageSize - leaf.count - pageIndex.count
      let count = rest <= space ? rest : LeafWriter.wholeVarints(position, space)
      leaf.append(UnsafeBufferPointer(start: position, count: count))
      position += count
      rest -= count
      if leaf.count + pageIndex.count >= pageSize { try endLeaf() }
    }
  }

  /// Returns the number of bytes of the varints that fit into `space` bytes; at least one varint.
  private static func wholeVarints(_ position: UnsafePointer<UInt8>, _ space: Int) -> Int {
    var count = varintLength(position)
    while count < space {
      let next = varintLength(position + count)
      if count + next > space { break }
      count += next
    }
    return count
  }

  private mutating func endLeaf() throws {
    leaf.storeBigEndian(UInt16(truncatingIfNeeded: leaf.count), at: 2)
    if hasTerm {
      leaf.append(pageIndex.elements)
    } else {
      if !hasFirstRow { doclistIndex.appendLeafWithoutRow() }
      leavesWithoutTerm += 1
    }
    try output.block(segment << DoclistFormat.segmentShift + number, UnsafeRawBufferPointer(leaf.elements))
    leaf.removeAll()
    leaf.appendHeader()
    pageIndex.removeAll()
    lastTermOffset = 0
    number += 1
    hasTerm = false
    hasFirstRow = false
  }

  /// Writes the row of `t_idx` for the last leaf on which a term begins, and the doclist index of its last doclist.
  private mutating func writeSeparator() throws {
    let isLong = leavesWithoutTerm >= LeafWriter.leavesOfDoclistIndex && doclistIndex.hasRows
    try doclistIndex.end(storing: isLong)
    leavesWithoutTerm = 0
    try separator.term.withUnsafeBytes { try output.separator($0, separator.leaf << 1 | (isLong ? 1 : 0)) }
  }
}

extension GrowableBuffer<UInt8> {
  /// Appends the header of a leaf: two offsets that are not known yet.
  fileprivate mutating func appendHeader() {
    for _ in 0..<DoclistFormat.headerSize { append(0) }
  }

  fileprivate func storeBigEndian(_ value: UInt16, at offset: Int) {
    start[offset] = UInt8(truncatingIfNeeded: value >> 8)
    start[offset + 1] = UInt8(truncatingIfNeeded: value)
  }
}
