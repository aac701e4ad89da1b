/// Names of sections in ids.
enum LocationName {
  /// The maximum length in characters. It is limited because ids have a maximum length.
  private static let maximumCount = 80

  /// Returns a name on one line, truncated and without control characters; nil if it is empty.
  static func normalized(_ name: String) -> String? {
    let words = name.split { $0.isWhitespace || ($0.unicodeScalars.first?.value ?? 0) < 0x20 }
    let text = String(words.joined(separator: " ").prefix(maximumCount))
    return text.isEmpty ? nil : text
  }
}
