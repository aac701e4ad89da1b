import TextIndex

/// Collects documents in memory and writes them as a segment.
///
/// Documents may be added in any order. They are sorted by row in portions, and each portion that does not follow the
/// previous one is a separate run; runs are merged when the segment is written.
final class SegmentBuilder {
  let columnCount: Int
  private var pending: [(row: UInt32, document: Document)] = []
  private var pendingSize = 0
  /// Whether the pending documents are in row order and follow the last run.
  private var isAscending = true
  private var runs: [Run] = []
  /// The number of replaced postings of each term.
  private var replaced: [[UInt8]: Int] = [:]
  private var replacedRows: Set<UInt32> = []

  /// A document that is added.
  enum Document: Sendable {
    case analyzed(AnalyzedDocument)
    /// A recent document.
    case forward(ForwardDocument)

    var lengths: [UInt32] {
      switch self {
      case .analyzed(let document): document.lengths
      case .forward(let document): document.lengths
      }
    }

    /// The number of bytes of its terms.
    var size: Int {
      switch self {
      case .analyzed(let document): document.size
      case .forward(let document): document.size
      }
    }
  }

  /// Documents in row order.
  private struct Run {
    let postings = PostingsHash(.full)
    var lengths: DocumentLengthRows
  }

  /// The number of bytes of pending documents after which they are sorted. All runs are read at once when they are
  /// merged, so there should be few.
  private static let portionSize = 64 << 20
  /// The number of bytes if they are in order. Larger portions would have the same number of runs.
  private static let ascendingPortionSize = 1 << 20

  init(columnCount: Int) { self.columnCount = columnCount }

  /// Whether nothing was added.
  var isEmpty: Bool { lastRow == nil && replacedRows.isEmpty }

  /// Adds a document, whose row must not have been added before.
  func add(_ document: Document, row: UInt32) throws {
    if let last = lastRow, last >= row { isAscending = false }
    pending.append((row, document))
    pendingSize += document.size + 64
    if pendingSize >= (isAscending ? SegmentBuilder.ascendingPortionSize : SegmentBuilder.portionSize) { try sort() }
  }

  /// Records that the segment replaces or deletes a document of an older segment.
  func replace(_ terms: TermSequence, row: UInt32) {
    guard replacedRows.insert(row).inserted else { return }
    for number in 0..<terms.count {
      let term = Array(terms.term(number))
      replaced[term, default: 0] += 1
    }
  }

  /// The row of the last document.
  private var lastRow: UInt32? { pending.last?.row ?? runs.last?.lengths.rows.last }

  /// Adds the postings of the pending documents to a run.
  func sort() throws {
    guard !pending.isEmpty else { return }
    if !isAscending { pending.sort { $0.row < $1.row } }
    let continues = runs.last?.lengths.rows.last.map { $0 < pending[0].row } ?? false
    if !continues { runs.append(Run(lengths: DocumentLengthRows(columnCount: columnCount))) }
    let run = runs.count - 1
    for (row, document) in pending {
      try SegmentBuilder.add(document, row, columnCount, to: runs[run].postings)
      runs[run].lengths.append(row, document.lengths)
    }
    pending = []
    pendingSize = 0
    isAscending = true
  }

  private static func add(_ document: Document, _ row: UInt32, _ columnCount: Int, to postings: PostingsHash) throws {
    switch document {
    case .analyzed(let document): document.addOccurrences(to: postings, row: Int64(row))
    case .forward(let document):
      for number in 0..<document.terms.count {
        try document.terms.term(number).withUnsafeBytes { term in
          try document.withPoslist(number) { poslist in
            try forEachPosition(in: poslist, columnCount: columnCount) {
              postings.add(term, row: Int64(row), column: $0.column, position: $0.position)
            }
          }
        }
      }
    }
  }

  // MARK: - Writing

  /// The lengths of all documents, in row order.
  func lengths() throws -> DocumentLengthRows {
    try sort()
    guard runs.count != 1 else { return runs[0].lengths }
    var all: [(row: UInt32, lengths: ArraySlice<UInt32>)] = []
    for run in runs {
      for (number, row) in run.lengths.rows.enumerated() { all.append((row, run.lengths.lengths(number))) }
    }
    var merged = DocumentLengthRows(columnCount: columnCount)
    for (row, lengths) in all.sorted(by: { $0.row < $1.row }) { merged.append(row, lengths) }
    return merged
  }

  /// Writes the documents as a segment.
  ///
  /// - Parameters:
  ///   - lengths: the result of ``lengths()``.
  ///   - scorer: computes score bounds from these lengths.
  ///   - sink: receives the rows of the segment.
  func write(_ lengths: DocumentLengthRows, _ scorer: Scorer, to sink: any SegmentSink) throws -> SegmentHeader {
    try sort()
    var writer = SegmentWriter(columnCount: columnCount, scorer, sink)
    var deletions = replaced.sorted { $0.key.lexicographicallyPrecedes($1.key) }[...]
    func append(_ term: UnsafeBufferPointer<UInt8>, _ postings: Postings) throws {
      while let next = deletions.first, next.key.lexicographicallyPrecedes(term) {
        try writer.appendDeletion(of: next.key, next.value)
        deletions.removeFirst()
      }
      var count = 0
      if let next = deletions.first, next.key.elementsEqual(term) {
        count = next.value
        deletions.removeFirst()
      }
      try writer.append(term, postings, replacedCount: count)
    }
    try PostingsHash.forEachTerm(of: runs.map(\.postings), columnCount: columnCount, append)
    for (term, count) in deletions { try writer.appendDeletion(of: term, count) }
    return try writer.finish(lengths, replacedRows: replacedRows.sorted())
  }
}

extension SegmentWriter {
  /// Appends a term that occurs only in documents that the segment replaces.
  fileprivate mutating func appendDeletion(of term: [UInt8], _ count: Int) throws {
    let none = PostingsAssembler(columnCount: 1, keepingPositions: true).finish()
    try term.withUnsafeBufferPointer { try append($0, none, replacedCount: count) }
  }
}
