import QueryModel

/// An index of a collection over the values of expressions: a table with a row for each document or for each element of
/// an array.
///
/// ```
/// concordance_vi_7 (doc INTEGER PRIMARY KEY, k0, k1, e0, e1)
/// ```
///
/// `k0`, `k1`, … are sort keys (``SQLEncoding``); those of a collated column are converted by ``CollatedFunction``.
/// `e0`, … is the exact value if the key does not determine it: for null, Booleans and collated strings. Arrays and
/// objects are read from the document, except that those of a prediction are stored in `e0`, …, so that the model is
/// not called again. A predictive index has an additional column `output` with the whole output of the model.
///
/// SQLite's indexes on expressions are not used: they would call custom functions, so no other program could write to
/// the file.
public struct StoredValueIndex: Sendable {
  /// The row in the catalog; the index's table is named after it.
  public let id: Int64
  /// The collection's row in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// The definition of the index.
  public let definition: ValueIndexDefinition
  /// The version of the rules that filled the index.
  public let version: String

  /// Whether the index was filled under rules that differ from those of this library, such as the collation of another
  /// version of ICU. Such an index must be rebuilt before it is used.
  public var isOutdated: Bool { ValueIndexVersion(version)?.satisfies(currentVersion) != true }

  /// The version of an index that this library fills, as ``version``.
  public var requiredVersion: String { currentVersion.text }

  /// Returns whether an index with this version may be outdated or incomplete. The parsed definition determines whether
  /// it is.
  ///
  /// - Parameter definition: the definition as the file stores it.
  public static func mayBeOutdated(version: String, definition: String) -> Bool {
    guard let version = ValueIndexVersion(version) else { return true }
    // A version that matches either form of the required one is up to date.
    let hasChangedKeys = ValueIndexVersion.mayHaveChangedKeys(definition)
    return ![true, false].contains {
      version == ValueIndexVersion(isCollated: $0, hasChangedKeys: false) && !hasChangedKeys
        || version == ValueIndexVersion(isCollated: $0, hasChangedKeys: true)
    }
  }

  /// Whether documents are missing because no prediction could be made for them when they were saved: the model was not
  /// registered, or its input was invalid. Such an index is also outdated and is not used. It is repaired by adding the
  /// missing documents.
  public var isIncomplete: Bool {
    guard let written = ValueIndexVersion(version), written.isIncomplete else { return false }
    return written.completed.satisfies(currentVersion)
  }

  /// Whether models are called when a document is added to the index.
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

  /// Whether the index has one row per document.
  var isOfDocuments: Bool { definition.path == nil }
}
