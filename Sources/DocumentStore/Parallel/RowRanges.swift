public import GRDB

/// The rows of a collection divided into ranges with about the same number of documents, for threads to share.
public struct RowRanges: Sendable {
  /// The number of ranges; 0 for a collection without rows.
  public let count: Int
  private let first: Int64
  private let last: Int64
  private let span: Int64

  /// Divides a collection.
  ///
  /// - Parameter size: the number of documents per range, if they are evenly distributed over the row ids.
  public init(of collection: CollectionRecord, size: Int64, _ db: Database) throws {
    guard let bounds = try DocumentReader(collection, db).rowBounds() else {
      (count, first, last, span) = (0, 0, 0, 0)
      return
    }
    (first, last) = (bounds.lowerBound, bounds.upperBound)
    let documents = try CollectionCatalog.documentCount(collection, db)
    let (width, isTooWide) = last.subtractingReportingOverflow(first)
    // Another program may have chosen the row ids, and the catalog of a damaged file may contain any count.
    let count = isTooWide ? 1 : min(max(1, min(documents, width) / size), RowRanges.maximumCount)
    span = width / count + 1
    self.count = Int(count)
  }

  /// The first and the last row of a range. The ranges at the end may be empty: their first row is after their last.
  public subscript(part: Int) -> (first: Int64, last: Int64) {
    let (distance, isTooFar) = Int64(part).multipliedReportingOverflow(by: span)
    let (start, isPastEnd) = first.addingReportingOverflow(distance)
    // A range that would begin after the last row is empty.
    guard !isTooFar, !isPastEnd, start <= last else { return (last, first) }
    return (start, part == count - 1 || last - start < span ? last : start + (span - 1))
  }

  /// The maximum number of ranges. More would not help the threads, and each costs a query.
  private static let maximumCount: Int64 = 1 << 20
}
