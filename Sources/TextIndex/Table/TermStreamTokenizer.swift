public import GRDB
import SQLiteAccess
import TextAnalysis

/// The FTS5 tokenizer of full-text indexes. Text is analyzed before it reaches FTS5, on another thread; this tokenizer
/// only splits the encoded terms: 0x20 precedes a term at the next position, and 0x1F one at the same position.
/// Documents and queries use the same encoding, so a query can specify several terms for one position.
///
/// See "Custom Tokenizers" in <https://www.sqlite.org/fts5.html>.
public enum TermStreamTokenizer {
  /// The name in the `tokenize` option of our tables.
  static let name = "concordance"

  /// Registers the tokenizer with a connection.
  ///
  /// - Parameter db: the connection.
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unsupported`` if SQLite was built without FTS5.
  public static func register(_ db: Database) throws {
    let isRegistered = try FTS5Tokenizer.register(name, on: db) { _, context, _, text, length, emit in
      guard var text = FTS5Text(context, text, length, emit) else { return 0 }
      tokenize(&text)
      return text.result
    }
    guard isRegistered else { throw TextIndexError.noFTS5 }
  }
}

extension TextIndexError {
  /// The error for an SQLite library that was built without FTS5.
  package static var noFTS5: TextIndexError {
    TextIndexError(.unsupported, "this SQLite has no FTS5; install SQLite 3.40 or later with FTS5")
  }
}

private func tokenize(_ text: inout FTS5Text) {
  let bytes = text.bytes
  let separator = TokenBuffer.separator
  let colocation = TokenBuffer.colocation
  var start = 0
  var isColocated = false
  while start < bytes.count {
    var end = start
    while end < bytes.count, bytes[end] != separator, bytes[end] != colocation { end += 1 }
    if end > start, !text.emit(start..<end, isColocated: isColocated) { return }
    isColocated = end < bytes.count && bytes[end] == colocation
    start = end + 1
  }
}
