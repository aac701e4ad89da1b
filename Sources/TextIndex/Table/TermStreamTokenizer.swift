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
    try FTS5API.register(name, on: db) { _, context, _, text, length, emit in
      tokenize(context: context, text: text, length: length, emit: emit)
    }
  }
}

private func tokenize(
  context: UnsafeMutableRawPointer?, text: UnsafePointer<CChar>?, length: Int32, emit: FTS5API.Emit?
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
