import PatternMatching

/// Writes trigram queries in FTS5 query syntax, <https://www.sqlite.org/fts5.html#full_text_query_syntax>, as bytes,
/// because a trigram may contain part of a character.
enum TrigramExpression {
  static func bytes(of query: TrigramQuery) -> [UInt8] {
    var bytes: [UInt8] = []
    write(query, to: &bytes)
    return bytes
  }

  private static func write(_ query: TrigramQuery, to bytes: inout [UInt8]) {
    switch query {
    // Operands are never `all` or `none`.
    case .all, .none: bytes += "\"\"".utf8
    case .trigram(let trigram):
      bytes.append(UInt8(ascii: "\""))
      for byte in trigram.bytes {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    case .and(let operands): write(thinned(operands), " AND ", to: &bytes)
    case .or(let operands): write(operands, " OR ", to: &bytes)
    }
  }

  /// Returns an evenly spaced sample of a long conjunction: overlapping trigrams are correlated, and FTS5 reads a
  /// posting list for each.
  private static func thinned(_ operands: [TrigramQuery]) -> [TrigramQuery] {
    guard operands.count > maximumOperandCount else { return operands }
    return (0..<maximumOperandCount).map { operands[$0 * (operands.count - 1) / (maximumOperandCount - 1)] }
  }

  private static let maximumOperandCount = 12

  private static func write(_ operands: [TrigramQuery], _ word: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "("))
    for (position, operand) in operands.enumerated() {
      if position > 0 { bytes += word.utf8 }
      write(operand, to: &bytes)
    }
    bytes.append(UInt8(ascii: ")"))
  }
}
