/// The colours and weights of printed text.
struct Style {
  /// Whether escape sequences are written.
  let isOn: Bool

  /// The id of a document.
  func id(_ text: String) -> String { wrap(text, "35") }
  /// A word that matches.
  func match(_ text: String) -> String { wrap(text, "1;31") }
  /// Text of minor interest.
  func faint(_ text: String) -> String { wrap(text, "2") }
  /// A heading.
  func strong(_ text: String) -> String { wrap(text, "1") }
  /// The beginning of an error message.
  func error(_ text: String) -> String { wrap(text, "1;31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
