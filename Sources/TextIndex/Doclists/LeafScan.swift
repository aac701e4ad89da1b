/// Scans leaves for the requested terms and passes their doclists to a sink.
struct LeafScan {
  private let selection: SegmentReader.Selection
  private let wanted: [UInt8]
  /// The last term read; the next one is stored relative to it.
  private var term: [UInt8] = []
  /// Whether the doclist of a requested term may continue.
  private var isInside = false

  init(_ selection: SegmentReader.Selection, _ wanted: [UInt8]) {
    self.selection = selection
    self.wanted = wanted
  }

  /// Creates a scan for the doclist of one term.
  init(term: [UInt8]) {
    self.init(.term(term), [DoclistFormat.termPrefix] + term)
  }

  /// Scans a leaf.
  ///
  /// - Returns: whether the next leaf must be read.
  mutating func scan<Sink: DoclistConsumer & ~Copyable>(
    _ leaf: UnsafeBufferPointer<UInt8>, into sink: inout Sink
  ) throws -> Bool {
    var terms = try LeafTerms(leaf)
    if isInside {
      try sink.continueDoclist(terms.continuation, firstRow: terms.firstRow)
      if !terms.isAtEnd { try endDoclist(&sink) }
    }
    // `t_idx` leads a search for a term to a leaf on which a term begins. A scan for a prefix may pass leaves that
    // contain only part of a doclist.
    if terms.isAtEnd, !isInside, case .term = selection { throw DoclistCorruption.badNumber }
    while let content = try terms.next(&term) {
      switch termOrder() {
      case .before: break
      case .wanted:
        sink.beginDoclist(term)
        isInside = true
        try sink.readRows(content)
        if !terms.isAtEnd {
          try endDoclist(&sink)
          if case .term = selection { return false }
        }
      case .after: return false
      }
    }
    if isInside { return true }
    // The terms of the next leaf are greater than a single requested term, but may still begin with a requested prefix.
    if case .terms = selection { return true }
    return false
  }

  /// Ends a doclist that extends to the end of the segment.
  mutating func finish<Sink: DoclistConsumer & ~Copyable>(into sink: inout Sink) throws {
    if isInside { try endDoclist(&sink) }
  }

  private mutating func endDoclist<Sink: DoclistConsumer & ~Copyable>(_ sink: inout Sink) throws {
    isInside = false
    try sink.endDoclist()
  }

  private enum TermOrder { case before, wanted, after }

  /// Compares the last term read with the requested terms.
  private func termOrder() -> TermOrder {
    let shared = min(term.count, wanted.count)
    for number in 0..<shared where term[number] != wanted[number] {
      return term[number] < wanted[number] ? .before : .after
    }
    if term.count < wanted.count { return .before }
    if term.count == wanted.count { return .wanted }
    if case .terms = selection { return .wanted }
    return .after
  }
}
