public import GRDB
import SQLiteAccess

/// Inserts and removes documents in a pattern index, in the transaction that changes the documents.
public struct PatternIndexWriter {
  private let insertion: SQLStatement
  private let removal: SQLStatement
  private let partInsertion: SQLStatement
  private let partSelection: SQLStatement
  private let partRemoval: SQLStatement

  /// A writer on the writing connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexErrorKind.outdated` if the index must be rebuilt first.
  public init(_ index: StoredPatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    let table = index.table
    insertion = try SQLStatement(cached: table.insertion, in: db)
    removal = try SQLStatement(cached: table.removal, in: db)
    partInsertion = try SQLStatement(cached: table.partInsertion, in: db)
    partSelection = try SQLStatement(cached: table.partSelection, in: db)
    partRemoval = try SQLStatement(cached: table.partRemoval, in: db)
  }

  /// Adds a document.
  public func insert(_ document: DocumentTrigrams, rowID: Int64) throws {
    for number in document.ends.indices {
      partInsertion.bind(1, rowID)
      try partInsertion.run()
      try run(insertion, document, number, part: partInsertion.lastInsertedRowID)
    }
  }

  /// Removes a document. It must be the document that was added with this row.
  ///
  /// - Throws: `DatabaseError` of code `SQLITE_CORRUPT` if the index does not match the document.
  public func remove(_ document: DocumentTrigrams, rowID: Int64) throws {
    let parts = try self.parts(ofRow: rowID)
    guard parts.count == document.ends.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a pattern index does not hold what a document had; rebuild the index")
    }
    for (number, part) in parts.enumerated() { try run(removal, document, number, part: part) }
    guard !parts.isEmpty else { return }
    partRemoval.bind(1, rowID)
    try partRemoval.run()
  }

  /// The chunks of a row's document, in order.
  func parts(ofRow rowID: Int64) throws -> [Int64] {
    defer { partSelection.reset() }
    partSelection.bind(1, rowID)
    var parts: [Int64] = []
    while try partSelection.step() { parts.append(partSelection.row.int64(0)) }
    return parts
  }

  private func run(_ statement: SQLStatement, _ document: DocumentTrigrams, _ number: Int, part: Int64) throws {
    try document.bytes.withUnsafeBytes { bytes in
      statement.bind(1, part)
      // The bytes stay valid until the statement is reset, so SQLite need not copy them.
      statement.bind(2, text: UnsafeRawBufferPointer(rebasing: bytes[document.part(number)]))
      try statement.run()
    }
  }
}
