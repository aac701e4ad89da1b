package import GRDB
import GRDBSQLite

/// FTS5's interface for extensions: <https://www.sqlite.org/fts5.html#extending_fts5>.
package enum FTS5API {
  /// What a tokenizer calls with each token: context, flags, text, length, start, end.
  package typealias Emit =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32

  /// Takes a text apart: the tokenizer, a context to pass on, flags, text and length.
  package typealias Tokenize =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Emit?
    ) -> Int32

  /// Makes a tokenizer without state known to a connection.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/unsupported`` where SQLite was built without FTS5.
  package static func register(_ name: String, on db: Database, _ tokenize: @escaping Tokenize) throws {
    guard let api = api(db) else {
      throw TextIndexError(.unsupported, "this SQLite has no FTS5; install one that has (3.40 or later)")
    }
    var tokenizer = fts5_tokenizer(
      xCreate: { _, _, _, result in
        // There is no state, but FTS5 takes a null tokenizer for a failure.
        result?.pointee = OpaquePointer(bitPattern: 1)
        return SQLITE_OK
      }, xDelete: { _ in }, xTokenize: tokenize)
    let code = api.pointee.xCreateTokenizer(api, name, nil, &tokenizer, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func api(_ db: Database) -> UnsafeMutablePointer<fts5_api>? {
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
