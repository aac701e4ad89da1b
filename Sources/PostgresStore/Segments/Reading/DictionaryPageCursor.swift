/// Reads the pages of a range of a dictionary in batches, so that memory does not depend on the number of pages.
struct DictionaryPageCursor {
  /// The range of the pages to read next. It begins with the last page that was read.
  private(set) var range: TermRange
  /// Whether all pages were read.
  private(set) var isAtEnd = false
  /// The first term of the last page that was read; nil before the first batch.
  private var last: [UInt8]?

  init(_ range: TermRange) { self.range = range }

  /// Returns the pages of a batch that were not in an earlier one, and proceeds to the next batch.
  ///
  /// - Parameters:
  ///   - batch: the first pages of ``range``.
  ///   - limit: the number of pages that were requested, at least 2.
  mutating func take(_ batch: [StoredPage], limit: Int) -> [StoredPage] {
    let new = batch.filter { page in last.map { $0.lexicographicallyPrecedes(page.firstTerm) } ?? true }
    isAtEnd = batch.count < limit || new.isEmpty
    if let page = new.last {
      last = page.firstTerm
      range = TermRange(range.segment, from: page.firstTerm, below: range.upper)
    }
    return new
  }
}

extension SegmentPostingStore {
  /// The number of pages that are read together.
  static let pageBatch = 4096
  /// The minimum number of pages of each segment that are read together.
  private static let smallestPageBatch = 8

  /// Calls `body` with each page that may contain terms with a prefix, and the number of its segment. The pages of a
  /// segment are in order.
  ///
  /// - Parameter pageBatch: the number of pages of all segments that are read in a round trip.
  /// - Throws: ``SegmentDamage`` if all pages are read, and a segment has fewer or more of them than its header says.
  func forEachPage(
    prefix: [UInt8], pageBatch: Int = SegmentPostingStore.pageBatch,
    _ body: (_ segment: Int, _ page: StoredPage) throws -> Void
  ) throws {
    var cursors = snapshot.segments.map { DictionaryPageCursor(TermRange($0.segment.key, prefix: prefix)) }
    var counts = Array(repeating: 0, count: cursors.count)
    var unfinished = Array(cursors.indices)
    while !unfinished.isEmpty {
      let limit = max(SegmentPostingStore.smallestPageBatch, pageBatch / unfinished.count)
      let batches = try storage.pages(unfinished.map { cursors[$0].range }, limit: limit)
      for (number, batch) in zip(unfinished, batches) {
        let pages = cursors[number].take(batch, limit: limit)
        counts[number] += pages.count
        for page in pages { try body(number, page) }
      }
      unfinished.removeAll { cursors[$0].isAtEnd }
    }
    guard prefix.isEmpty else { return }
    for (count, view) in zip(counts, snapshot.segments) where count != view.segment.header.pageCount {
      throw SegmentDamage("its dictionary has \(count) instead of \(view.segment.header.pageCount) pages in a segment")
    }
  }
}
