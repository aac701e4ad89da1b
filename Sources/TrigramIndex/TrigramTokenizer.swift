public import GRDB
import GRDBSQLite
import TextIndex

/// The tokenizer of pattern indexes inside FTS5. It takes three bytes after the other for a term, as `TrigramAnalysis` makes them.
public enum TrigramTokenizer {
  /// The name in the `tokenize` option of our tables.
  static let name = "concordance_trigrams"

  /// Makes the tokenizer known to a connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexError.Kind.unsupported` where SQLite was built without FTS5.
  public static func register(_ db: Database) throws {
    try FTS5API.register(name, on: db) { _, context, _, text, length, emit in
      guard let text, let emit else { return SQLITE_OK }
      var start: Int32 = 0
      while start + 3 <= length {
        let code = emit(context, 0, text + Int(start), 3, start, start + 3)
        if code != SQLITE_OK { return code }
        start += 3
      }
      return SQLITE_OK
    }
  }
}
