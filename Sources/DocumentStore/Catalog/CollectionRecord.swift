/// A collection as the file knows it.
public struct CollectionRecord: Hashable, Sendable {
  /// The row in the catalog; never reused while the collection exists.
  public let id: Int64
  /// Its scope and name.
  public let name: CollectionName
  /// The table of its documents: `scope.name`, with `~2` and so on behind it where only the case of another
  /// collection's name differs, which SQLite cannot tell apart.
  public let tableName: String
}
