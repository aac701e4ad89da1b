/// A position in the order of a view: rows are sorted by key, then by the bytes of the document id, then in the order
/// in which they were emitted for the document.
public struct ViewPosition: Hashable, Comparable, Sendable {
  var sort: [UInt8]
  var id: String
  var number: Int64

  /// The position before all rows.
  static let start = ViewPosition(sort: [], id: "", number: .min)
  /// The position after all rows. No sort key begins with the byte 0xFF.
  static let end = ViewPosition(sort: [0xFF], id: "", number: .min)

  /// Returns the position before the rows with a key.
  static func before(_ sort: [UInt8]) -> ViewPosition { ViewPosition(sort: sort, id: "", number: .min) }

  /// Returns the position after the rows with a key. No sort key is a prefix of another one, so no greater key sorts
  /// before this position.
  static func after(_ sort: [UInt8]) -> ViewPosition { ViewPosition(sort: sort + [0], id: "", number: .min) }

  public static func < (one: ViewPosition, other: ViewPosition) -> Bool {
    if one.sort != other.sort { return one.sort.lexicographicallyPrecedes(other.sort) }
    if !one.id.utf8.elementsEqual(other.id.utf8) { return one.id.utf8.lexicographicallyPrecedes(other.id.utf8) }
    return one.number < other.number
  }
}

/// The rows of a view between two positions, excluding the upper one.
public struct ViewRange: Hashable, Sendable {
  var lower: ViewPosition
  var upper: ViewPosition

  /// All rows.
  public static let all = ViewRange(lower: .start, upper: .end)

  /// One end of a range.
  public struct End: Sendable {
    let sort: [UInt8]
    let id: String?
    let isIncluded: Bool

    /// Creates an end.
    ///
    /// - Parameters:
    ///   - sort: the sort key.
    ///   - id: the document at which the range starts or ends among the rows with this key; nil for all rows with the
    ///     key. It has no effect if the end is not included.
    ///   - isIncluded: whether rows with the key are in the range.
    public init(_ sort: [UInt8], id: String? = nil, isIncluded: Bool = true) {
      self.sort = sort
      self.id = id
      self.isIncluded = isIncluded
    }
  }

  init(lower: ViewPosition, upper: ViewPosition) {
    self.lower = lower
    self.upper = upper
  }

  /// Creates a range between two ends; nil if the range is unbounded at that end.
  public init(from first: End?, through last: End?) {
    lower = .start
    upper = .end
    if let first {
      lower = first.isIncluded ? .before(first.sort) : .after(first.sort)
      if first.isIncluded, let id = first.id { lower.id = id }
    }
    if let last {
      upper = last.isIncluded ? .after(last.sort) : .before(last.sort)
      if last.isIncluded, let id = last.id { upper = ViewPosition(sort: last.sort, id: id, number: .max) }
    }
  }

  /// Whether the range cannot contain any row.
  public var isEmpty: Bool { lower >= upper }
}
