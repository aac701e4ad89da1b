import Foundation

/// Parses the options of the `unicodesn` tokenizer from the SQL of a full-text table:
/// `… USING fts4("name", tokenize=unicodesn "stopwords=en" "stemmer=en" "remove_diacritics=0")`.
enum TokenizerOptions {
  /// Returns the options by name; empty if there are none.
  static func parse(_ sql: String) -> [String: String] {
    guard let start = sql.range(of: "tokenize=unicodesn") else { return [:] }
    var options: [String: String] = [:]
    for part in sql[start.upperBound...].split(separator: "\"") {
      guard let sign = part.firstIndex(of: "=") else { continue }
      options[String(part[..<sign])] = String(part[part.index(after: sign)...])
    }
    return options
  }
}
