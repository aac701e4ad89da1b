/// A property whose values a search counts over all documents that it matches.
///
/// ```swift
/// request.facets = ["type", FacetRequest("tags", limit: 20), "reviews[].author"]
/// ```
public struct FacetRequest: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The path of the property: `type`, `geo.country`, `reviews[].author`. Elements of an array count one by one, each
  /// different one once a document.
  public var property: String
  /// How many values are listed at most.
  public var limit: Int

  /// Counts the values of a property.
  public init(_ property: String, limit: Int = 10) {
    self.property = property
    self.limit = limit
  }

  /// Counts the values of a property and lists ten.
  public init(stringLiteral property: String) { self.init(property) }
}

/// The values of a property over the documents that a search matches.
public struct Facet: Hashable, Sendable {
  /// A value and how many documents have it.
  public struct Count: Hashable, Sendable {
    /// The value.
    public let value: FacetValue
    /// How many of the documents have it.
    public let count: Int
  }

  /// The path of the property.
  public let property: String
  /// The most frequent values; of equal counts booleans first, then numbers and strings in their order.
  public let values: [Count]
  /// How many other values there are.
  public let otherValueCount: Int
  /// How many of the documents have any value.
  public let documentCount: Int
  /// The least of the numbers among all values; nil where there is none.
  public let minimum: Double?
  /// The greatest of the numbers among all values; nil where there is none.
  public let maximum: Double?
}
