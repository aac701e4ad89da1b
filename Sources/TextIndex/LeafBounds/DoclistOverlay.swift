/// Brings short doclists of a term together with long ones, of which no more is read than the leaves that may have the same
/// rows: the youngest segment says what holds for a row.
struct DoclistOverlay: ~Copyable {
  private let doclists: [BoundedDoclist]
  private let columnCount: Int
  private let readings: LeafReadings
  private var memory = PostingsMemory(keepingPositions: false)
  private var superseded: Set<UInt32> = []
  private var supersededDocumentCount = 0

  /// - Parameter doclists: the long ones, in the order of their rows, which do not overlap.
  init(_ doclists: [BoundedDoclist], columnCount: Int, _ readings: LeafReadings) {
    self.doclists = doclists
    self.columnCount = columnCount
    self.readings = readings
  }

  /// Adds a short doclist. Older ones come first.
  mutating func add(_ postings: Postings, age: Int) throws {
    for number in 0..<postings.count {
      let row = postings.rows[number]
      if let (doclist, frequencies) = try entry(row) {
        // The long doclist is the younger one: this entry says nothing any more.
        if doclist.age < age { continue }
        if superseded.insert(row).inserted, frequencies != 0 { supersededDocumentCount += 1 }
      }
      let frequencies = memory.adding(postings.frequencies[number], spilledIn: postings.spill)
      memory.append(row, frequencies, UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  /// What the long doclists have for a row.
  private func entry(_ row: UInt32) throws -> (doclist: BoundedDoclist, frequencies: UInt32)? {
    let following = doclists.partitionPoint { $0.firstRow > row }
    guard following > 0, let place = doclists[following - 1].place(of: row) else { return nil }
    let doclist = doclists[following - 1]
    let postings = try readings.postings(doclist, place)
    let number = postings.rows.position(of: row, from: 0, count: postings.count)
    guard number < postings.count, postings.rows[number] == row else { return nil }
    return (doclist, postings.frequencies[number])
  }

  /// What is left of the short doclists, and of which rows of the long ones it takes the place.
  consuming func finish() -> Result {
    let (rows, documentCount) = (superseded.sorted(), supersededDocumentCount)
    let whole = PostingsAssembly(memory, ordinals: GrowingMemory(), columnCount: columnCount).finish()
    return Result(whole: whole, superseded: rows, supersededDocumentCount: documentCount)
  }

  struct Result {
    /// The documents of the short doclists, as far as these say what holds.
    let whole: Postings
    /// Rows of the long doclists for which a younger segment says what holds, in order.
    let superseded: [UInt32]
    /// How many of these are documents there, and not delete markers.
    let supersededDocumentCount: Int
  }
}
