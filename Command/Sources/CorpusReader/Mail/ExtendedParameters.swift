/// Parameters in several parts and with character sets: `filename*0*=utf-8''na%C3%AF; filename*1="ve.txt"` (RFC 2231).
enum ExtendedParameters {
  /// The maximum number of parts of a parameter.
  private static let maximumPartCount = 1000

  /// Returns the parameters by their names. The first of several parameters with the same name is used.
  static func decoded(_ parameters: [(key: String, argument: [UInt8])]) -> [String: String] {
    var result: [String: String] = [:]
    var parts: [String: [Int: (argument: [UInt8], isEncoded: Bool)]] = [:]
    for (key, argument) in parameters {
      let names = key.split(separator: "*", omittingEmptySubsequences: false)
      guard names.count > 1 else {
        if result[key] == nil { result[key] = MailParameters.text(of: argument, key: key) }
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
        var argument = part.argument[...]
        if number == 0, part.isEncoded {
          let pieces = argument.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
          if pieces.count == 3 { (charset, argument) = (String(decoding: pieces[0], as: UTF8.self), pieces[2]) }
        }
        bytes += part.isEncoded ? percentDecoded(argument) : Array(argument)
        number += 1
      }
      result[name] = MailText.decode(bytes, charset: charset?.isEmpty == true ? nil : charset)
    }
    return result
  }

  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
