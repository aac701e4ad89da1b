import QueryModel

/// An index of a collection over the values of expressions: a table of ours with a row for each document, or for each
/// element of an array.
///
/// ```
/// concordance_vi_7 (doc INTEGER PRIMARY KEY, k0, k1, e0, e1)
/// ```
///
/// `k0`, `k1`, … are sort keys (``SQLEncoding``), those of a collated column as ``ConversionCallbacks/collated(_:_:)`` makes
/// them; `e0`, … is the exact value where the key does not tell it: of null, booleans and collated strings. Arrays and objects
/// are read from the document, but those that come of a prediction stand there as well, so that no model is asked again. A
/// predictive index has a further column, `output`, for all that the model says.
///
/// SQLite's own indexes on expressions could not name our functions: no other program could write to the file.
public struct StoredValueIndex: Sendable {
  /// The row in the catalog; the index's table is named after it.
  public let id: Int64
  /// The collection's row in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// What it is made of.
  public let definition: ValueIndexDefinition
  /// The version of the rules that filled the index.
  public let version: String

  /// Whether the index was filled by other rules than this library's, such as the collation of another version of ICU: it must
  /// be rebuilt before it is used.
  public var isOutdated: Bool { ValueIndexVersion(version)?.satisfies(currentVersion) != true }

  /// Whether an index of a version may be outdated or incomplete, whatever its definition is.
  public static func mayBeOutdated(version: String) -> Bool {
    // The keys of an index without ICU's version depend on nothing else.
    guard let version = ValueIndexVersion(version) else { return true }
    return ![true, false].contains { version == ValueIndexVersion(isCollated: $0) }
  }

  /// Whether documents are missing because no prediction could be made for them when they were saved: the model was not
  /// registered, or its input is none. Such an index is outdated, too, and not used; it needs only what is missing.
  public var isIncomplete: Bool {
    guard let written = ValueIndexVersion(version), written.isIncomplete else { return false }
    return written.completed.satisfies(currentVersion)
  }

  /// Whether models are asked when a document is put into the index.
  public var makesPredictions: Bool { !definition.modelNames.isEmpty }

  /// The name of its table in the file.
  public var tableName: String { ValueIndexTable.namePrefix + String(id) }

  /// The columns: expressions with their collations.
  let columns: [Column]

  /// The version of an index that this library fills.
  let currentVersion: ValueIndexVersion

  struct Column: Hashable, Sendable {
    var expression: QueryExpression
    var collation: QueryCollation
  }

  init(id: Int64, collection: Int64, name: String, definition: ValueIndexDefinition, version: String) {
    self.id = id
    self.collection = collection
    self.name = name
    self.definition = definition
    self.version = version
    currentVersion = definition.currentVersion
    columns = definition.columns.map {
      let (expression, collation) = $0.splittingCollation
      return Column(expression: expression, collation: collation)
    }
  }

  /// Whether each document has one row.
  var isOfDocuments: Bool { definition.path == nil }
}
