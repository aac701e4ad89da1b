/// A header field with parameters, such as `text/plain; charset="iso-8859-2" (Polish)` (RFC 2045, section 5.1).
///
/// The field is the raw text after the colon, without the line breaks of folded lines. White space within quotation
/// marks is significant: `boundary="a  b"`.
enum MailParameters {
  /// Returns the value in lower case and the parameters. Parameters that are split or encoded (RFC 2231) are joined and
  /// decoded.
  static func parse(_ field: [UInt8]) -> (value: String, parameters: [String: String]) {
    var parts = split(field)
    let value = MailText.decode(unquoted(parts.removeFirst()), charset: nil).lowercased()
    var parameters: [(key: String, argument: [UInt8])] = []
    for part in parts {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
      parameters.append((key(part[..<equals]), unquoted(part[(equals + 1)...])))
    }
    return (value, ExtendedParameters.decoded(parameters))
  }

  /// Returns the text of an argument. Names of files may contain encoded words, although RFC 2047 forbids them there.
  static func text(of argument: [UInt8], key: String) -> String {
    guard isFileName(key) else { return MailText.decode(argument, charset: nil) }
    return EncodedWords.decode(argument).split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func key(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
  }

  private static func isFileName(_ key: String) -> Bool {
    let name = String(key.prefix { $0 != "*" })
    return name == "name" || name == "filename"
  }

  /// Splits a field at semicolons outside quotes, and removes comments: `(Polish)`. A comment begins at the start of a
  /// part or after white space, because programs write `boundary=_(abc)_` without quotes.
  ///
  /// Parentheses in the name of a file are kept, because programs write `name=report (1).pdf` without quotes.
  private static func split(_ field: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    var hasKey = false
    var keepsParentheses = false
    var hasUnclosedComment = false
    var index = 0
    while index < field.count {
      let byte = field[index]
      index += 1
      if byte == UInt8(ascii: "("), !isQuoted, !keepsParentheses, !hasUnclosedComment,
        parts[parts.count - 1].last?.isJSONSpace ?? true
      {
        if let end = endOfComment(in: field, from: index) {
          index = end
          continue
        }
        // Otherwise each further parenthesis would search to the end again.
        hasUnclosedComment = true
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      if byte == UInt8(ascii: ";"), !isQuoted {
        parts.append([])
        (hasKey, keepsParentheses) = (false, false)
        continue
      }
      if byte == UInt8(ascii: "="), !isQuoted, !hasKey {
        hasKey = true
        keepsParentheses = isFileName(key(parts[parts.count - 1][...]))
      }
      parts[parts.count - 1].append(byte)
    }
    return parts.map { trimmed($0[...]) }
  }

  /// Returns the index after the comment whose opening parenthesis is before `start`; nil if it is not closed. Comments
  /// may be nested, and a backslash quotes the next character.
  private static func endOfComment(in field: [UInt8], from start: Int) -> Int? {
    var depth = 1
    var index = start
    while index < field.count {
      switch field[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { return index }
    }
    return nil
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop { $0.isJSONSpace }
    while let last = text.last, last.isJSONSpace { text.removeLast() }
    return text
  }

  /// Returns an argument without its quotation marks and the backslashes that quote characters. A backslash quotes only
  /// a quotation mark or another backslash, so backslashes in Windows paths are kept.
  private static func unquoted(_ argument: ArraySlice<UInt8>) -> [UInt8] {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    let text = argument.drop { $0.isJSONSpace }
    guard text.first == quote else { return Array(text) }
    var result: [UInt8] = []
    var rest = text.dropFirst()
    while let byte = rest.popFirst(), byte != quote {
      if byte == backslash, let next = rest.first, next == quote || next == backslash {
        result.append(next)
        rest.removeFirst()
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
