/// Merges the short doclists of a term with its long ones. The youngest segment that contains a row is authoritative.
/// Of the long doclists, only the leaves that may contain rows of the short ones are read.
struct DoclistMerger: ~Copyable {
  private let doclists: [BoundedDoclist]
  private let columnCount: Int
  private let budgetedReader: BudgetedLeafReader
  private var memory = PostingsStorage(keepingPositions: false)
  private var superseded: Set<UInt32> = []
  private var supersededDocumentCount = 0

  /// - Parameter doclists: the long doclists in row order, which do not overlap.
  init(_ doclists: [BoundedDoclist], columnCount: Int, _ budgetedReader: BudgetedLeafReader) {
    self.doclists = doclists
    self.columnCount = columnCount
    self.budgetedReader = budgetedReader
  }

  /// Adds the short doclists, oldest first, each with the number of younger segments.
  ///
  /// - Throws: ``BudgetedLeafReader/Exhausted``, before any leaf is read; ``DoclistCorruption``, `DatabaseError`.
  mutating func add(_ others: [(age: Int, postings: Postings)]) throws {
    try budgetedReader.require(leafCount(others.map(\.postings)))
    for (age, postings) in others { try add(postings, age: age) }
  }

  /// Returns the number of leaves that may contain rows of short doclists.
  private func leafCount(_ others: [Postings]) -> Int {
    var firstRows: Set<UInt32> = []
    for postings in others {
      var last: UInt32?
      for number in 0..<postings.count {
        guard let (doclist, leafIndex) = leafIndex(of: postings.rows[number]) else { continue }
        let firstRow = doclist.bounds.leaves[leafIndex].firstRow
        if firstRow != last { firstRows.insert(firstRow) }
        last = firstRow
      }
    }
    return firstRows.count
  }

  private mutating func add(_ postings: Postings, age: Int) throws {
    for number in 0..<postings.count {
      let row = postings.rows[number]
      if let (doclist, frequencies) = try entry(row) {
        // The long doclist is younger and supersedes this entry.
        if doclist.age < age { continue }
        if superseded.insert(row).inserted, frequencies != 0 { supersededDocumentCount += 1 }
      }
      let frequencies = memory.adding(postings.frequencies[number], overflowIn: postings.overflow)
      memory.append(row, frequencies, UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  /// Returns the posting of a row in the long doclists; nil if there is none.
  private func entry(_ row: UInt32) throws -> (doclist: BoundedDoclist, frequencies: UInt32)? {
    guard let (doclist, leafIndex) = leafIndex(of: row) else { return nil }
    let postings = try budgetedReader.postings(doclist, leafIndex)
    let number = postings.rows.position(of: row, from: 0, count: postings.count)
    guard number < postings.count, postings.rows[number] == row else { return nil }
    return (doclist, postings.frequencies[number])
  }

  /// Returns the leaf of a long doclist that may contain a row; nil if there is none.
  private func leafIndex(of row: UInt32) -> (doclist: BoundedDoclist, leafIndex: Int)? {
    let following = doclists.partitionPoint { $0.firstRow > row }
    guard following > 0, let leafIndex = doclists[following - 1].leafIndex(of: row) else { return nil }
    return (doclists[following - 1], leafIndex)
  }

  /// Returns the remaining postings of the short doclists, and the rows of long doclists that they supersede.
  consuming func finish() -> Result {
    let (rows, documentCount) = (superseded.sorted(), supersededDocumentCount)
    let whole = PostingsMerger(memory, ordinals: GrowableBuffer(), columnCount: columnCount).finish()
    return Result(whole: whole, superseded: rows, supersededDocumentCount: documentCount)
  }

  struct Result {
    /// The documents of the short doclists that no younger segment supersedes.
    let whole: Postings
    /// Rows of the long doclists that a younger segment supersedes, ascending.
    let superseded: [UInt32]
    /// The number of these rows that are documents, not delete markers.
    let supersededDocumentCount: Int
  }
}
