public import GRDB
import SQLiteAccess
import TextIndex

/// The FTS5 tokenizer of pattern indexes. Each group of three bytes in the output of `TrigramAnalysis` is a term.
public enum TrigramTokenizer {
  /// The name in the `tokenize` option of the FTS5 tables.
  static let name = "concordance_trigrams"

  /// Registers the tokenizer with a connection.
  ///
  /// - Throws: `TextIndexError` of kind `TextIndexErrorKind.unsupported` if SQLite was built without FTS5.
  public static func register(_ db: Database) throws {
    let isRegistered = try FTS5Tokenizer.register(name, on: db) { _, context, _, text, length, emit in
      guard var text = FTS5Text(context, text, length, emit) else { return 0 }
      var start = 0
      while start + 3 <= text.bytes.count, text.emit(start..<start + 3) { start += 3 }
      return text.result
    }
    guard isRegistered else { throw TextIndexError.noFTS5 }
  }
}
