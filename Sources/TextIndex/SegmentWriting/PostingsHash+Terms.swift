extension PostingsHash {
  /// Appends all terms with their doclists to the leaves of a segment.
  func write(to leaves: inout LeafWriter) throws {
    try forEachEntry { entry in
      try leaves.append(
        UnsafeBufferPointer(start: entry.term, count: Int(entry.termLength)),
        UnsafeBufferPointer(start: entry.doclist, count: Int(entry.count)))
    }
  }

  /// Calls `body` with each term of several tables and its postings with positions, in byte order of the terms. The postings of one
  /// term are decoded at a time.
  ///
  /// - Parameters:
  ///   - tables: tables with positions, no two of which contain the same row.
  ///   - columnCount: the number of columns of the index.
  /// - Throws: errors of `body`.
  package static func forEachTerm(
    of tables: [PostingsHash], columnCount: Int,
    _ body: (_ term: UnsafeBufferPointer<UInt8>, _ postings: Postings) throws -> Void
  ) throws {
    if tables.count == 1 {
      return try tables[0].forEachEntry { try body($0.bytes, $0.postings(columnCount: columnCount)) }
    }
    var cursors = tables.map { EntryCursor($0) }
    while true {
      let terms = cursors.compactMap { $0.entry?.bytes }
      guard let term = terms.min(by: TermSort.precedes) else { return }
      var parts: [Postings] = []
      for number in cursors.indices {
        guard let entry = cursors[number].entry, !TermSort.precedes(term, entry.bytes) else { continue }
        parts.append(try entry.postings(columnCount: columnCount))
        cursors[number].advance()
      }
      try body(term, parts.count == 1 ? parts[0] : Postings.union(parts, columnCount: columnCount))
    }
  }

  /// Reads the entries of a table in byte order of the terms.
  private struct EntryCursor {
    /// The entry to read; nil after the last.
    private(set) var entry: Entry?
    private let table: PostingsHash
    private var numbers: ArraySlice<UInt32>

    init(_ table: PostingsHash) {
      self.table = table
      numbers = table.sortedNumbers()[...]
      advance()
    }

    mutating func advance() { entry = numbers.popFirst().map { table.finishedEntry($0) } }
  }
}

extension PostingsHash.Entry {
  /// Returns the postings of the term.
  fileprivate func postings(columnCount: Int) throws -> Postings {
    var sink = DoclistSink(columnCount: columnCount, keepingPositions: true, numberingTerms: false)
    sink.beginDoclist([])
    try sink.readRows(ByteReader(doclist, end: doclist + Int(count)))
    try sink.endDoclist()
    return sink.finishUnmerged()
  }
}
