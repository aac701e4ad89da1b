/// The error for a file of an evaluation that cannot be read, or a run that cannot be written as one.
package struct EvaluationFileError: Error, Hashable, CustomStringConvertible {
  /// Where a fault is in a file.
  package struct Location: Hashable, Sendable {
    /// What messages call the file.
    package let name: String
    /// The number of the line, from 1.
    package let line: Int
  }

  /// The line of the file; nil for a run that cannot be written.
  package let location: Location?
  /// What is wrong.
  package let reason: String

  /// The reason, after the name of the file and the number of the line.
  package var description: String { location.map { "\($0.name), line \($0.line): \(reason)" } ?? reason }
}

/// A line of a file that is read for an evaluation, with its number for messages.
struct EvaluationLine {
  let text: Substring
  /// 1 for the first.
  let number: Int
  private let name: String

  /// The lines of a text that are not blank. Lines may end in CR LF; a byte order mark is skipped.
  static func lines(of text: String, name: String) -> [EvaluationLine] {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    // "\r\n" is one character in Swift, and `isNewline` knows it; a query may contain U+2028 and others.
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
      .map { EvaluationLine(text: $1, number: $0 + 1, name: name) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
  }

  /// The columns, which white space separates.
  var columns: [Substring] { text.split(whereSeparator: \.isWhitespace) }

  /// Returns the error for a fault in the line.
  func error(_ reason: String) -> EvaluationFileError {
    EvaluationFileError(location: EvaluationFileError.Location(name: name, line: number), reason: reason)
  }
}
