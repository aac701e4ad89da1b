/// The header of a mail message or of one of its MIME parts (RFC 5322, section 2.2).
struct MailHeader {
  private var fields: [(name: String, value: [UInt8])] = []
  /// The index at which the body begins.
  let end: Int

  /// Reads fields up to the empty line. A line that begins with white space continues the previous field. A line that
  /// is not a field belongs to the body, as in Python's parser.
  init(_ message: ArraySlice<UInt8>) {
    var index = message.startIndex
    while index < message.endIndex {
      let lineStart = index
      let lineEnd = message[index...].firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
      var line = message[index..<lineEnd]
      index = min(lineEnd + 1, message.endIndex)
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard let first = line.first else { break }
      if first == 0x20 || first == 0x09 {
        if !fields.isEmpty { fields[fields.count - 1].value.append(contentsOf: line) }
      } else if let colon = line.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 <= 0x20 || $0 >= 0x7F }),
        line[colon] == UInt8(ascii: ":")
      {
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        fields.append((name, Array(line[(colon + 1)...])))
      } else {
        index = lineStart
        break
      }
    }
    end = index
  }

  /// Returns the first field with this name, decoded and without surrounding white space; nil if it is missing or
  /// empty.
  func text(_ name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
    let text = EncodedWords.decode(value).split { $0.isWhitespace }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Returns a field with parameters, such as `Content-Type: text/plain; charset="utf-8"`. Parameters that are split or
  /// encoded (RFC 2231) are joined and decoded.
  func parameterized(_ name: String) -> (value: String, parameters: [String: String])? {
    guard let text = text(name) else { return nil }
    var parts = MailHeader.split(text)
    let value = parts.removeFirst().lowercased()
    var parameters: [(key: String, argument: String)] = []
    for part in parts {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let key = part[..<equals].filter { !$0.isWhitespace }.lowercased()
      parameters.append((key, MailHeader.unquoted(part[part.index(after: equals)...])))
    }
    return (value, ExtendedParameters.decoded(parameters))
  }

  /// Splits at semicolons outside quotes.
  private static func split(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { part in String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
  }

  /// Returns an argument without its quotation marks and the backslashes that quote characters. A backslash quotes only
  /// a quotation mark or another backslash, so backslashes in Windows paths are kept.
  private static func unquoted(_ argument: Substring) -> String {
    let text = argument.drop { $0 == " " }
    guard text.first == "\"" else { return String(text) }
    var result = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        result.append(rest.removeFirst())
      } else {
        result.append(character)
      }
    }
    return result
  }
}

/// Parameters in several parts and with character sets: `filename*0*=utf-8''na%C3%AF; filename*1="ve.txt"` (RFC 2231).
private enum ExtendedParameters {
  /// The maximum number of parts of a parameter.
  private static let maximumPartCount = 1000

  static func decoded(_ parameters: [(key: String, argument: String)]) -> [String: String] {
    var result: [String: String] = [:]
    var parts: [String: [Int: (argument: String, isEncoded: Bool)]] = [:]
    for (key, argument) in parameters {
      let names = key.split(separator: "*", omittingEmptySubsequences: false)
      guard names.count > 1 else {
        result[key] = result[key] ?? argument
        continue
      }
      let number = names[1].isEmpty ? 0 : Int(names[1]) ?? -1
      guard (0..<maximumPartCount).contains(number) else { continue }
      parts[String(names[0]), default: [:]][number] = (argument, names.last?.isEmpty == true)
    }
    // The extended form replaces the plain one because it is more exact.
    for (name, numbered) in parts {
      guard let first = numbered[0] else { continue }
      var charset: String?
      var bytes: [UInt8] = []
      var number = 0
      while let part = number == 0 ? first : numbered[number] {
        var argument = Substring(part.argument)
        if number == 0, part.isEncoded {
          let pieces = argument.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
          if pieces.count == 3 { (charset, argument) = (String(pieces[0]), pieces[2]) }
        }
        bytes += part.isEncoded ? percentDecoded(argument) : Array(argument.utf8)
        number += 1
      }
      result[name] = MailText.decode(bytes, charset: charset?.isEmpty == true ? nil : charset)
    }
    return result
  }

  private static func percentDecoded(_ text: Substring) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(Substring(digits), radix: 16) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
