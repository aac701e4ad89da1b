/// A row of a collection: a document, a tombstone, or a row that cannot be imported.
public enum SourceRow {
  case document(SourceDocument)
  /// The tombstone of a deleted document.
  case deleted
  /// A document that Couchbase Lite created for its own use, such as a design document of version 1.
  case internalDocument
  /// A document that cannot be read, with the reason.
  case unreadable(id: String, reason: String)
}

/// The current revision of a document.
public struct SourceDocument {
  public let id: String
  /// The content as JSON text.
  public let json: [UInt8]
  /// The time at which the document expires, in milliseconds since 1970; nil if it does not expire.
  public let expiration: Int64?
  /// Whether the document has conflicting revisions. This revision is the winner.
  public let isConflicted: Bool
  /// Whether the document contains binary data that was converted to Base64 strings.
  public let hasData: Bool
}

/// A collection in a Couchbase Lite database.
public struct SourceCollection: Hashable, Sendable {
  public let scope: String
  public let name: String
  /// The name of the key store as in the names of its tables: `default`, `.name`, or `.scope.name`, usually with a
  /// backslash before each uppercase letter.
  let store: String

  /// The default collection.
  public static let `default` = SourceCollection(scope: "_default", name: "_default", store: "default")
}

/// The definition of an index in a Couchbase Lite database.
public struct SourceIndex: Sendable {
  /// The kinds of index.
  public enum Kind: Int, Sendable {
    case value, fullText, array, predictive, vector
  }

  public let name: String
  /// The kind; nil if it is unknown.
  public let kind: Kind?
  public let collection: SourceCollection
  /// The expressions: a JSON array, a JSON object with `WHAT` and `WHERE`, or a comma-separated list in SQL++.
  public let expression: String
  /// The condition, in the language of ``expression``; nil if there is none or if it is in ``expression``.
  public let condition: String?
  /// The tokenizer options of a full-text index, by name: `stemmer`, `stopwords`, `stopwordlist`,
  /// `remove_diacritics`.
  public let tokenizerOptions: [String: String]
}
