public import GRDB

/// The rows of a collection in ranges of about as many documents each, for threads to share.
public struct RowRanges: Sendable {
  /// How many ranges there are; none for a collection without a row.
  public let count: Int
  private let first: Int64
  private let last: Int64
  private let span: Int64

  /// Divides a collection.
  ///
  /// - Parameter size: documents of a range, where they are spread evenly over the rows.
  public init(of collection: CollectionRecord, size: Int64, _ db: Database) throws {
    guard let bounds = try DocumentReader(collection, db).rowBounds() else {
      (count, first, last, span) = (0, 0, 0, 0)
      return
    }
    (first, last) = (bounds.lowerBound, bounds.upperBound)
    let documents = try CollectionCatalog.documentCount(collection, db)
    let (width, isTooWide) = last.subtractingReportingOverflow(first)
    // The rows may have been numbered by another program, and the catalog of a damaged file may count any number.
    let count = isTooWide ? 1 : min(max(1, min(documents, width) / size), RowRanges.maximumCount)
    span = width / count + 1
    self.count = Int(count)
  }

  /// The first and the last row of a range. Behind the last one there may be none.
  public subscript(part: Int) -> (first: Int64, last: Int64) {
    let (distance, isTooFar) = Int64(part).multipliedReportingOverflow(by: span)
    let (start, isPastEnd) = first.addingReportingOverflow(distance)
    // After the last row there may be no more numbers.
    guard !isTooFar, !isPastEnd, start <= last else { return (last, first) }
    return (start, part == count - 1 || last - start < span ? last : start + (span - 1))
  }

  /// More ranges than this say nothing to threads, and each costs a query.
  private static let maximumCount: Int64 = 1 << 20
}
