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
  private let statement: DocumentStatement

  /// - Parameters:
  ///   - condition: an expression that ``check(_:)`` accepts.
  ///   - collection: the collection of the documents.
  ///   - db: the connection that evaluates it.
  public init(_ condition: QueryExpression, of collection: CollectionRecord, _ db: Database) throws {
    statement = try DocumentStatement(selecting: [], where: condition, of: collection, db)
  }

  /// Returns whether the condition is true for a document.
  public func holds(rowID: Int64, id: String, body: [UInt8]) throws -> Bool {
    try statement.read(rowID: rowID, id: id, body: body) { _ in true } ?? false
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
