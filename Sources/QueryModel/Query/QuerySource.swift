/// A source of rows: a collection, or the elements of an array.
///
/// ```sql
/// FROM inventory.route AS r                            -- collection, first
/// JOIN inventory.airline AS a ON a.iata = r.airline    -- collection, inner, with a condition
/// UNNEST r.schedule AS s                               -- elements, inner
/// ```
public struct QuerySource: Hashable, Sendable {
  /// The kind of source.
  public enum Content: Hashable, Sendable {
    /// The documents of a collection.
    case collection(CollectionPath)
    /// The elements of an array, for each row of the preceding sources. Not allowed as the first source.
    case unnest(QueryExpression)
  }

  /// The kind of source.
  public var content: Content
  /// The alias, if there is one.
  public var alias: String?
  /// The name of a column with the whole document, if the source has no alias; nil for the name of the source. It has
  /// no other effect on the query and is not part of its text.
  public var columnName: String?
  /// How the rows are combined with those of the preceding sources; nil for the first source.
  public var join: JoinKind?
  /// `ON`: the join condition; nil for the first source, a cross join and an unnest.
  public var condition: QueryExpression?

  /// Creates a source.
  public init(
    _ content: Content, alias: String? = nil, join: JoinKind? = nil, condition: QueryExpression? = nil
  ) {
    self.content = content
    self.alias = alias
    self.join = join
    self.condition = condition
  }
}

/// How the rows of a source are combined with those of the preceding sources.
public enum JoinKind: Hashable, Sendable, CaseIterable {
  /// Pairs for which the condition holds.
  case inner
  /// Like inner, plus the left rows without a match, for which every value of the right side is missing.
  case left
  /// All pairs. There is no condition.
  case cross
}

/// The name of a collection as written in a query: `hotel`, `inventory.hotel`, or `_` for the default collection.
public struct CollectionPath: Hashable, Sendable {
  /// The scope, or nil for the default scope.
  public var scope: String?
  /// The name of the collection.
  public var name: String

  /// Creates a path.
  public init(_ name: String, scope: String? = nil) {
    self.scope = scope
    self.name = name
  }

  /// The default collection in its short form, `_`.
  public static let standard = CollectionPath("_")
}
