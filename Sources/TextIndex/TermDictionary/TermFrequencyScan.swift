/// Counts the document and collection frequencies of many terms in one pass over the segments of an index.
///
/// If the row ranges of a term in the segments do not overlap, its counts are added. Otherwise a younger segment may
/// delete or replace rows, and ``TermFrequencies`` must count the term.
struct TermFrequencyScan: DoclistConsumer, ~Copyable {
  private let terms: TermList
  private let range: Range<Int>
  private var entries: [ScannedFrequencies]
  /// The last row of each term.
  private var lastRows: [Int64]
  /// The number of the term whose doclist is being read; nil if it is not in the list.
  private var number: Int?
  private var following: Int
  private var doclist: DoclistSink

  /// - Parameters:
  ///   - terms: the terms of the index.
  ///   - range: the numbers of the terms to count.
  init(_ terms: TermList, _ range: Range<Int>, columnCount: Int) {
    self.terms = terms
    self.range = range
    entries = Array(repeating: ScannedFrequencies(), count: range.count)
    lastRows = Array(repeating: -1, count: range.count)
    following = range.lowerBound
    doclist = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
  }

  /// Returns the counts of each term of the range.
  consuming func finish() -> [ScannedFrequencies] { entries }

  mutating func beginDoclist(_ term: [UInt8]) {
    let text = term.dropFirst()
    // Doclists are in term order, so the next one is usually that of the next term in the list.
    let isNext = following < range.upperBound && terms.bytes[terms.range(following)].elementsEqual(text)
    number = isNext ? following : terms.number(of: Array(text)).flatMap { range.contains($0) ? $0 : nil }
    following = number.map { $0 + 1 } ?? following
    doclist.removeAll()
    doclist.beginDoclist(term)
  }

  mutating func readRows(_ piece: ByteReader) throws { try doclist.readRows(piece) }

  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws {
    try doclist.continueDoclist(piece, firstRow: firstRow)
  }

  mutating func endDoclist() throws {
    try doclist.endDoclist()
    guard let number else { return }
    doclist.add(to: &entries[number - range.lowerBound], after: &lastRows[number - range.lowerBound])
  }
}

extension DoclistSink {
  /// Adds the counts of a term in a segment.
  fileprivate func add(to entry: inout ScannedFrequencies, after lastRow: inout Int64) {
    for number in 0..<memory.rows.count {
      let (row, code) = (Int64(memory.rows.start[number]), memory.frequencies.start[number])
      if code == 0 || row <= lastRow { entry.isCertain = false }
      lastRow = row
      entry.documents += 1
      Frequencies.forEach(code, memory.overflow.start) { entry.occurrences += Int($1) }
    }
  }
}

extension PostingsReader {
  /// Counts the terms that begin with a prefix.
  ///
  /// - Parameters:
  ///   - range: the numbers of the terms with the prefix.
  /// - Complexity: O(n) in the length of their doclists.
  func scan(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [ScannedFrequencies] {
    var scan = TermFrequencyScan(terms, range, columnCount: columnCount)
    try read(.terms(prefix: Array(prefix.utf8)), into: &scan)
    return scan.finish()
  }
}
