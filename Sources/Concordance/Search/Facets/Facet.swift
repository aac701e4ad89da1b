/// A property whose values a search counts in all matching documents.
///
/// ```swift
/// request.facets = ["type", FacetRequest("tags", limit: 20), "reviews[].author"]
/// ```
public struct FacetRequest: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The path of the property: `type`, `geo.country`, `reviews[].author`. The elements of an array are counted
  /// individually; equal elements of one document are counted once.
  public var property: String
  /// The maximum number of values in ``Facet/values``.
  public var limit: Int

  /// Requests the values of a property.
  ///
  /// - Parameters:
  ///   - property: the path of the property.
  ///   - limit: the maximum number of values to list.
  public init(_ property: String, limit: Int = 10) {
    self.property = property
    self.limit = limit
  }

  /// Requests the ten most frequent values of a property.
  ///
  /// - Parameter property: the path of the property.
  public init(stringLiteral property: String) { self.init(property) }
}

/// The values of a property in all documents that a search matches.
///
/// ```swift
/// for value in facet.values { print(facet.property, value.value, value.count) }  // type hotel 12 …
/// ```
public struct Facet: Hashable, Sendable {
  /// A value and the number of matching documents that contain it.
  public struct Count: Hashable, Sendable {
    /// The value.
    public let value: FacetValue
    /// The number of documents with this value.
    public let count: Int
  }

  /// The path of the property.
  public let property: String
  /// The most frequent values. Among equal counts, booleans come first, then numbers, then strings, each in ascending
  /// order.
  public let values: [Count]
  /// The number of distinct values that are not listed.
  public let otherValueCount: Int
  /// The number of matching documents that have any value.
  public let documentCount: Int
  /// The smallest number among all values; nil if no value is a number.
  public let minimum: Double?
  /// The largest number among all values; nil if no value is a number.
  public let maximum: Double?
}
