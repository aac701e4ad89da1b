public import GRDB
public import GRDBSQLite

/// FTS5's interface for tokenizers: <https://www.sqlite.org/fts5.html#custom_tokenizers>.
public enum FTS5Tokenizer {
  /// The function that FTS5 calls with each text; see ``FTS5Text/init(_:_:_:_:)``. Its parameters are the tokenizer,
  /// the context, the flags, the text, its length, and a function that receives the tokens.
  public typealias Callback =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, FTS5Text.Emit?
    ) -> Int32

  /// Registers a tokenizer without state.
  ///
  /// - Returns: false if SQLite was built without FTS5.
  /// - Throws: `DatabaseError`.
  public static func register(_ name: String, on db: Database, _ tokenize: @escaping Callback) throws -> Bool {
    guard let api = api(db) else { return false }
    var tokenizer = fts5_tokenizer(
      xCreate: { _, _, _, result in
        // There is no state, but FTS5 treats a null tokenizer as a failure.
        result?.pointee = OpaquePointer(bitPattern: 1)
        return SQLITE_OK
      }, xDelete: { _ in }, xTokenize: tokenize)
    try DatabaseError.check(api.pointee.xCreateTokenizer(api, name, nil, &tokenizer, nil), db.sqliteConnection)
    return true
  }

  private static func api(_ db: Database) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(db.sqliteConnection, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    var api: UnsafeMutablePointer<fts5_api>?
    return withUnsafeMutablePointer(to: &api) { pointer in
      // SQLite does not copy the name of the type, and compares it when the statement runs.
      sqlite3_bind_pointer(statement, 1, pointer, SQLiteMemory.characters(of: "fts5_api_ptr"), nil)
      sqlite3_step(statement)
      return pointer.pointee
    }
  }
}

/// A text that FTS5 passes to a tokenizer, and the function that receives its tokens.
public struct FTS5Text {
  /// The function that receives a token: context, flags, text, length, start, end.
  public typealias Emit =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32

  /// The text as passed to FTS5: UTF-8, or bytes in an encoding that the caller defines.
  public let bytes: UnsafeRawBufferPointer
  @usableFromInline let context: UnsafeMutableRawPointer?
  @usableFromInline let sink: Emit
  /// The result code that the callback returns to FTS5; nonzero if FTS5 rejected a token.
  public var result: Int32

  /// Wraps the arguments of a ``FTS5Tokenizer/Callback``. Returns nil if there is no text.
  @inlinable
  public init?(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ length: Int32, _ emit: Emit?
  ) {
    guard let text, let emit, length > 0 else { return nil }
    bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
    self.context = context
    sink = emit
    result = 0
  }

  /// Passes a token to FTS5.
  ///
  /// - Parameters:
  ///   - range: the token in ``bytes``.
  ///   - isColocated: whether it is at the same position as the previous token.
  /// - Returns: whether FTS5 accepts more tokens.
  @inlinable
  public mutating func emit(_ range: Range<Int>, isColocated: Bool = false) -> Bool {
    let start = bytes.baseAddress?.advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self)
    result = sink(
      context, isColocated ? FTS5_TOKEN_COLOCATED : 0, start, Int32(truncatingIfNeeded: range.count),
      Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.upperBound))
    return result == SQLITE_OK
  }
}
