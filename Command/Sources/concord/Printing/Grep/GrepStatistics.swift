/// How much was searched and found, in ripgrep's words.
struct GrepStatistics {
  var documentCount = 0
  var foundCount = 0
  var byteCount = 0
  var printedCount = 0
  var lineCount = 0
  var matchCount = 0
  /// Seconds that threads were searching.
  var searchSeconds = 0.0
  /// Seconds from the beginning to the end.
  var seconds = 0.0

  /// As people read it.
  var text: String {
    """

    \(matchCount) matches
    \(lineCount) matched lines
    \(foundCount) files contained matches
    \(documentCount) files searched
    \(printedCount) bytes printed
    \(byteCount) bytes searched
    \(GrepStatistics.human(searchSeconds)) seconds spent searching
    \(GrepStatistics.human(seconds)) seconds

    """
  }

  /// Seconds with six digits behind the point.
  static func human(_ seconds: Double) -> String {
    let micros = Int((max(seconds, 0) * 1_000_000).rounded())
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
