import PatternMatching

/// Queries over trigrams in FTS5's language, <https://www.sqlite.org/fts5.html#full_text_query_syntax>: bytes, since a trigram
/// may be a part of a character.
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
    case .and(let parts): write(thinned(parts), " AND ", to: &bytes)
    case .or(let parts): write(parts, " OR ", to: &bytes)
    }
  }

  /// An evenly spread sample of a long conjunction: overlapping trigrams are correlated, and FTS5 reads a list for each.
  private static func thinned(_ parts: [TrigramQuery]) -> [TrigramQuery] {
    guard parts.count > maximumPartCount else { return parts }
    return (0..<maximumPartCount).map { parts[$0 * (parts.count - 1) / (maximumPartCount - 1)] }
  }

  private static let maximumPartCount = 12

  private static func write(_ parts: [TrigramQuery], _ word: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "("))
    for (position, part) in parts.enumerated() {
      if position > 0 { bytes += word.utf8 }
      write(part, to: &bytes)
    }
    bytes.append(UInt8(ascii: ")"))
  }
}
