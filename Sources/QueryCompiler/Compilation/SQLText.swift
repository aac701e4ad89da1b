/// Literals and fragments of SQL. Only this type converts arbitrary strings to SQL literals.
enum SQLText {
  /// Returns a string as a literal.
  static func literal(_ string: String) -> String {
    // SQLite ends the text of a statement at U+0000.
    guard !string.utf8.contains(0) else {
      // CAST gives the expression a type affinity, which SQLite would apply to the other operand of a comparison; the
      // unary plus removes it.
      return "+CAST(\(blob(Array(string.utf8))) AS TEXT)"
    }
    guard string.utf8.contains(UInt8(ascii: "'")) else { return "'\(string)'" }
    // Split by scalars: a quotation mark with a combining accent is one Character, which does not equal the mark.
    let parts = string.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map(String.init).joined(separator: "''") + "'"
  }

  /// Returns an integer as a literal.
  static func literal(_ number: Int64) -> String {
    // The digits without the sign are out of range, so SQLite would parse them as a double.
    number == .min ? "(-9223372036854775807 - 1)" : "\(number)"
  }

  /// Returns bytes as a literal.
  static func blob(_ bytes: [UInt8]) -> String { "x'\(bytes.hexadecimal)'" }

  /// JSON null in the exact encoding (``SQLEncoding``).
  static let null = "x'6e756c6c'"

  /// Returns a Boolean in the exact encoding.
  static func exact(_ boolean: Bool) -> String { boolean ? "x'74727565'" : "x'66616c7365'" }

  /// Returns whether SQL text contains a COLLATE. It is called for every fragment, and `String.contains` takes several
  /// times as long.
  static func mentionsCollation(_ sql: String) -> Bool {
    let word: StaticString = " COLLATE "
    let length = word.utf8CodeUnitCount
    return sql.utf8.withContiguousStorageIfAvailable { text in
      var position = 0
      while position + length <= text.count {
        if text[position] == word.utf8Start[0],
          (1..<length).allSatisfy({ text[position + $0] == word.utf8Start[$0] })
        {
          return true
        }
        position += 1
      }
      return false
    } ?? sql.contains(" COLLATE ")
  }

  /// Returns conditions joined by AND or OR. Long lists are joined as a balanced tree, since a chain is as deep as it
  /// is long and SQLite limits the depth of expressions.
  static func joined(_ conditions: [String], by word: String) -> String {
    joined(conditions[...], by: word)
  }

  private static func joined(_ conditions: ArraySlice<String>, by word: String) -> String {
    guard conditions.count > maximumChain else {
      return conditions.count == 1 ? conditions.first ?? "" : "(" + conditions.joined(separator: " \(word) ") + ")"
    }
    let middle = conditions.startIndex + conditions.count / 2
    return "(\(joined(conditions[..<middle], by: word)) \(word) \(joined(conditions[middle...], by: word)))"
  }

  private static let maximumChain = 128
}
