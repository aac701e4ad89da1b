/// The colours and weights of printed text.
struct Style {
  /// Whether escape sequences are written.
  let isOn: Bool

  /// Styles the id of a document.
  func id(_ text: String) -> String { wrap(text, "35") }
  /// Styles text that matches.
  func match(_ text: String) -> String { wrap(text, "1;31") }
  /// Styles less important text.
  func faint(_ text: String) -> String { wrap(text, "2") }
  /// Styles a heading.
  func strong(_ text: String) -> String { wrap(text, "1") }
  /// Styles the beginning of an error message.
  func error(_ text: String) -> String { wrap(text, "1;31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
