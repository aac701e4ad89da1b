import DocumentStore
import GRDB
import QueryModel
import SQLiteAccess

/// A statement that evaluates expressions for the text of a document, which need not be the stored text.
///
/// It may be used only on its connection's thread.
struct DocumentStatement {
  private let statement: SQLStatement

  /// - Parameters:
  ///   - expressions: the columns, in the exact encoding (``SQLEncoding``).
  ///   - condition: the condition that the documents satisfy; nil for all documents.
  ///   - collection: the collection of the documents.
  ///   - db: the connection that evaluates them.
  /// - Throws: ``QueryCompilationError`` for expressions that cannot be written as SQL.
  init(
    selecting expressions: [QueryExpression], where condition: QueryExpression?, of collection: CollectionRecord,
    _ db: Database
  ) throws {
    let source = "document"
    let generator = SQLGenerator(inlinesNumbers: true)
    generator.sources[source] = SQLGenerator.Source(alias: "t0", schema: CollectionSchema(collection))
    let columns = try expressions.map { try generator.exact($0.with(source: source)) }
    let test = try condition.map { " WHERE \(try generator.condition($0.with(source: source)))" } ?? ""
    statement = try QueryCompilationError.convertingLimitErrors {
      try SQLStatement(
        sql: "SELECT \(columns.isEmpty ? "1" : columns.joined(separator: ", ")) "
          + "FROM (SELECT ?1 AS rowid, ?2 AS id, ?3 AS body, 0 AS deleted) AS t0\(test)", in: db)
    }
  }

  /// Returns the result of `body` for the row of a document; nil if it does not satisfy the condition.
  func read<T>(rowID: Int64, id: String, body text: [UInt8], _ body: (StatementRow) throws -> T) throws -> T? {
    try statement.withText(2, id) {
      statement.bind(1, rowID)
      return try text.withUnsafeBytes { bytes -> T? in
        statement.bind(3, text: bytes)
        defer { statement.clear() }
        return try statement.step() ? body(statement.row) : nil
      }
    }
  }
}
