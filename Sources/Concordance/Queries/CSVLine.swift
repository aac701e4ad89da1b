/// Lines of CSV (RFC 4180), for the command and the server. Not public API.
@_spi(Command) public enum CSVLine {
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  /// Returns a line without its end.
  ///
  /// - Parameter fields: the texts of the fields. nil, for MISSING and null, is an empty field, and an empty string is
  ///   `""`, as in PostgreSQL.
  public static func bytes(of fields: [String?]) -> [UInt8] {
    // Many readers skip an empty line, which would lose the row.
    if fields == [nil] { return [quote, quote] }
    var line: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { line.append(comma) }
      if let field { append(field, to: &line) }
    }
    return line
  }

  /// Compares bytes because a quotation mark with a combining accent is one character but must be doubled.
  private static func append(_ field: String, to line: inout [UInt8]) {
    let isSpecial = field.utf8.contains { byte in
      byte == comma || byte == quote || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
    guard isSpecial || field.isEmpty else {
      line.append(contentsOf: field.utf8)
      return
    }
    line.append(quote)
    for byte in field.utf8 {
      if byte == quote { line.append(quote) }
      line.append(byte)
    }
    line.append(quote)
  }
}
