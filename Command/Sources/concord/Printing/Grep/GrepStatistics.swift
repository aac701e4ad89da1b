import Concordance

/// Search statistics in ripgrep's format.
struct GrepStatistics {
  var documentCount = 0
  var foundCount = 0
  var byteCount = 0
  var printedCount = 0
  var lineCount = 0
  var matchCount = 0
  /// The search time summed over all threads, in seconds.
  var searchSeconds = 0.0
  /// The elapsed time in seconds.
  var seconds = 0.0
  /// The servers that were left out.
  var missingServers: [MissingServer] = []

  /// The statistics as text.
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

  /// Formats seconds with six decimal places.
  static func human(_ seconds: Double) -> String {
    let micros = Int((max(seconds, 0) * 1_000_000).rounded())
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
