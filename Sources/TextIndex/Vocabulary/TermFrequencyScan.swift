/// Counts the document and collection frequencies of many terms in one pass over the segments of an index.
///
/// If the row ranges of a term in the segments do not overlap, their counts add up. Otherwise a younger segment may
/// delete or replace rows, and ``TermFrequencies`` counts the term.
struct TermFrequencyScan: DoclistConsumer, ~Copyable {
  /// The counts of a term.
  struct Entry {
    var documents = 0
    var occurrences = 0
    /// Whether the counts are exact.
    var isCertain = true
    fileprivate var lastRow: Int64 = -1
  }

  private let terms: TermList
  private let range: Range<Int>
  private var entries: [Entry]
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
    entries = Array(repeating: Entry(), count: range.count)
    following = range.lowerBound
    doclist = DoclistSink(columnCount: columnCount, keepingPositions: false, numberingTerms: false)
  }

  /// Returns the counts of each term of the range.
  consuming func finish() -> [Entry] { entries }

  mutating func beginDoclist(_ term: [UInt8]) {
    let text = term.dropFirst()
    // Terms are in order, and most are in every list.
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
    doclist.add(to: &entries[number - range.lowerBound])
  }
}

extension DoclistSink {
  /// Adds the counts of a term in a segment.
  fileprivate func add(to entry: inout TermFrequencyScan.Entry) {
    for number in 0..<memory.rows.count {
      let (row, code) = (Int64(memory.rows.start[number]), memory.frequencies.start[number])
      if code == 0 || row <= entry.lastRow { entry.isCertain = false }
      entry.lastRow = row
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
  func scan(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [TermFrequencyScan.Entry] {
    var scan = TermFrequencyScan(terms, range, columnCount: columnCount)
    try read(.terms(prefix: Array(prefix.utf8)), into: &scan)
    return scan.finish()
  }
}
