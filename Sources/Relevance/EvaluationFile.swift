/// An error for an evaluation file that cannot be read, or a run that cannot be written.
package struct EvaluationFileError: Error, Hashable, CustomStringConvertible {
  /// The location of an error in a file.
  package struct Location: Hashable, Sendable {
    /// The name of the file in messages.
    package let name: String
    /// The number of the line, from 1.
    package let line: Int
  }

  /// The line of the file; nil for a run that cannot be written.
  package let location: Location?
  /// A description of the error.
  package let reason: String

  /// The reason, after the name of the file and the number of the line.
  package var description: String { location.map { "\($0.name), line \($0.line): \(reason)" } ?? reason }
}

/// A line of an evaluation file, with its number for messages.
struct EvaluationLine {
  let text: Substring
  /// The line number, from 1.
  let number: Int
  private let name: String

  private init(text: Substring, number: Int, name: String) {
    self.text = text
    self.number = number
    self.name = name
  }

  /// Creates the location of a message about several lines.
  init(number: Int, name: String) { self.init(text: "", number: number, name: name) }

  /// Returns the nonblank lines of the text. Lines may end in CR LF; a byte order mark is skipped.
  static func lines(of text: String, name: String) -> [EvaluationLine] {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    // "\r\n" is one `Character`. `isNewline` is not used because a query may contain U+2028 and other line separators.
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
      .map { EvaluationLine(text: $1, number: $0 + 1, name: name) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
  }

  /// The columns, separated by white space.
  var columns: [Substring] { text.split(whereSeparator: \.isWhitespace) }

  /// Returns an error with the location of the line.
  func error(_ reason: String) -> EvaluationFileError {
    EvaluationFileError(location: EvaluationFileError.Location(name: name, line: number), reason: reason)
  }
}
