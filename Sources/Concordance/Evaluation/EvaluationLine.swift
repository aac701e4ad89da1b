import Foundation

/// A line of a file that is read for an evaluation, with its number for messages.
struct EvaluationLine {
  let text: Substring
  /// 1 for the first.
  let number: Int
  private let name: String

  /// The lines of a text that are not blank. Lines may end in CR LF; a mark of the byte order is passed over.
  static func lines(of text: String, name: String) -> [EvaluationLine] {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    // "\r\n" is one character in Swift, and `isNewline` knows it; U+2028 and others may stand in a query.
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
      .map { EvaluationLine(text: $1, number: $0 + 1, name: name) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
  }

  /// The columns, which white space parts.
  var columns: [Substring] { text.split(whereSeparator: \.isWhitespace) }

  /// The error for what is wrong with the line.
  func error(_ reason: String) -> CBLError {
    CBLError(CBLError.invalidParameter, "\(name), line \(number): \(reason)")
  }
}
