public import GRDB
import GRDBSQLite
import TextAnalysis

/// The tokenizer inside FTS5. The analyzer's work is done before text reaches FTS5, on another thread; this one only
/// takes the encoded terms apart: 0x20 before a term at the next position, 0x1F before one at the same position.
/// Documents and queries come in the same encoding, so a query can name several terms for one position.
///
/// See "Custom Tokenizers" in <https://www.sqlite.org/fts5.html>.
public enum TermStreamTokenizer {
  /// The name in the `tokenize` option of our tables.
  static let name = "concordance"

  /// Makes the tokenizer known to a connection.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/unsupported`` where SQLite was built without FTS5.
  public static func register(_ db: Database) throws {
    guard let api = fts5API(db) else {
      throw TextIndexError(.unsupported, "this SQLite has no FTS5; install one that has (3.40 or later)")
    }
    var tokenizer = fts5_tokenizer(
      xCreate: { _, _, _, result in
        // There is no state, but FTS5 takes a null tokenizer for a failure.
        result?.pointee = OpaquePointer(bitPattern: 1)
        return SQLITE_OK
      },
      xDelete: { _ in },
      xTokenize: { _, context, _, text, length, emit in
        tokenize(context: context, text: text, length: length, emit: emit)
      })
    let code = api.pointee.xCreateTokenizer(api, name, nil, &tokenizer, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func fts5API(_ db: Database) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(db.sqliteConnection, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    var api: UnsafeMutablePointer<fts5_api>?
    return withUnsafeMutablePointer(to: &api) { place in
      sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
      sqlite3_step(statement)
      return place.pointee
    }
  }
}

private typealias Emit =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
  ) -> Int32

private func tokenize(
  context: UnsafeMutableRawPointer?, text: UnsafePointer<CChar>?, length: Int32, emit: Emit?
) -> Int32 {
  guard let text, let emit else { return SQLITE_OK }
  let separator = CChar(TokenBuffer.separator)
  let colocation = CChar(TokenBuffer.colocation)
  var start: Int32 = 0
  var flags: Int32 = 0
  while start < length {
    var end = start
    while end < length, text[Int(end)] != separator, text[Int(end)] != colocation { end += 1 }
    if end > start {
      let code = emit(context, flags, text + Int(start), end - start, start, end)
      if code != SQLITE_OK { return code }
    }
    flags = end < length && text[Int(end)] == colocation ? FTS5_TOKEN_COLOCATED : 0
    start = end + 1
  }
  return SQLITE_OK
}
