public import DocumentStore
public import GRDB
public import JSONText
public import QueryModel
import SQLiteAccess

/// Evaluates the expressions of a view for documents.
///
/// It may be used only on its connection's thread.
public final class DocumentMapper {
  /// The values of the expressions for a document; nil is MISSING.
  public struct Values {
    /// The parts of the key.
    public let key: [JSONValue?]
    /// The value.
    public let value: JSONValue?
  }

  private let statement: DocumentStatement
  private let keyCount: Int
  private let hasValue: Bool

  /// - Parameters:
  ///   - key: the parts of the key, at least one.
  ///   - value: the value; nil for none.
  ///   - condition: the condition that the documents satisfy; nil for all documents.
  ///   - collection: the collection of the documents.
  ///   - db: the connection that evaluates them.
  /// - Throws: ``QueryCompilationError`` for expressions that cannot be indexed.
  public init(
    key: [QueryExpression], value: QueryExpression?, condition: QueryExpression?, of collection: CollectionRecord,
    _ db: Database
  ) throws {
    try DocumentMapper.check(key: key, value: value, condition: condition)
    keyCount = key.count
    hasValue = value != nil
    statement = try DocumentStatement(
      selecting: key + [value].compactMap { $0 }, where: condition, of: collection, db)
  }

  /// Throws for expressions whose values could change without a change to the document.
  ///
  /// - Throws: ``QueryCompilationError``.
  public static func check(key: [QueryExpression], value: QueryExpression?, condition: QueryExpression?) throws {
    // The same rules apply as for a value index.
    let index = try ValueIndexDefinition(
      expressions: key + [value].compactMap { $0 }, condition: condition)
    guard index.modelNames.isEmpty else {
      throw QueryCompilationError(
        .invalid, "a view cannot call a model, which may not be registered when the view is updated")
    }
  }

  /// Returns the values for a document; nil if it does not satisfy the condition.
  ///
  /// - Throws: ``QueryCompilationError`` if an expression cannot be evaluated.
  public func values(for document: StoredDocument) throws -> Values? {
    try QueryCompilationError.convertingRuntimeErrors {
      try statement.read(rowID: document.rowID, id: document.id, body: document.body) { row in
        Values(
          key: (0..<keyCount).map { DocumentMapper.value(row, Int32($0)) },
          value: hasValue ? DocumentMapper.value(row, Int32(keyCount)) : nil)
      }
    }
  }

  /// Decodes the exact encoding of a value.
  private static func value(_ row: StatementRow, _ column: Int32) -> JSONValue? {
    switch row.type(column) {
    case .null: nil
    case .integer: .int64(row.int64(column))
    case .double: .double(row.double(column))
    case .text: .string(row.string(column))
    case .blob: row.bytes(column).flatMap { QueryValue(jsonText: $0).json }
    }
  }
}
