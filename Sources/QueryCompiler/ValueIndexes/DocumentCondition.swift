public import DocumentStore
public import GRDB
public import QueryModel
import SQLiteAccess
public import TextIndex

/// Tests whether the text of a document, which need not be the stored text, satisfies the condition of a partial index:
/// when a document changes, the index must know whether the old text was in it.
///
/// It may be used only on its connection's thread.
public final class DocumentCondition {
  private let statement: SQLStatement

  /// - Parameters:
  ///   - condition: an expression that ``check(_:)`` accepts.
  ///   - collection: the collection of the documents.
  ///   - db: the connection that evaluates it.
  public init(_ condition: QueryExpression, of collection: CollectionRecord, _ db: Database) throws {
    let source = "document"
    let generator = SQLGenerator(inlinesNumbers: true)
    generator.sources[source] = SQLGenerator.Source(alias: "t0", schema: CollectionSchema(collection))
    let test = try generator.condition(condition.with(source: source))
    statement = try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(
        sql: "SELECT 1 FROM (SELECT ?1 AS rowid, ?2 AS id, ?3 AS body, 0 AS deleted) AS t0 WHERE \(test)", in: db)
    }
  }

  /// Returns whether the condition is true for a document.
  public func holds(rowID: Int64, id: String, body: [UInt8]) throws -> Bool {
    try statement.withText(2, id) {
      statement.bind(1, rowID)
      return try body.withUnsafeBytes { bytes in
        statement.bind(3, text: bytes)
        defer { statement.reset() }
        return try statement.step()
      }
    }
  }

  /// Returns whether the condition is true for a stored document.
  public func holds(_ document: StoredDocument) throws -> Bool {
    try holds(rowID: document.rowID, id: document.id, body: document.body)
  }

  /// Throws for a condition whose result could change without a change to the document: one with parameters,
  /// aggregates, models, or metadata other than the id.
  ///
  /// - Throws: ``QueryCompilationError``.
  public static func check(_ condition: QueryExpression) throws {
    // The same rules apply as for a value index, which needs at least one column.
    let index = try ValueIndexDefinition(expressions: [.metadata(.id, source: nil)], condition: condition)
    guard index.modelNames.isEmpty else {
      throw QueryCompilationError(
        .invalid,
        "the condition of a full-text index cannot call a model, which may not be registered when a document is saved")
    }
  }
}

extension StoredFullTextIndex {
  /// Returns the test for the documents that belong in the index; nil if all of them do.
  public func documentCondition(of collection: CollectionRecord, _ db: Database) throws -> DocumentCondition? {
    try definition.condition.map { try DocumentCondition($0, of: collection, db) }
  }
}
