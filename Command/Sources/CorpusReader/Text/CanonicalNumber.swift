/// Recognises numbers in formats without types: a text counts as a number only if the conversion loses nothing.
enum CanonicalNumber {
  /// Returns whether the text is a 64-bit integer or a decimal in canonical form: no leading zeros, no plus sign, no
  /// superfluous zeros after the decimal point. Such text is a valid JSON number.
  ///
  /// `7`, `-3` and `1.5` are; `007`, `1.50`, `+1`, `1e3` and `-0` are not, because an article number or a version would
  /// change.
  static func isCanonical(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "-") || isDigit(first), text.count <= 24 else {
      return false
    }
    guard text.dropFirst().allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { return false }
    let string = String(decoding: text, as: UTF8.self)
    if let integer = Int64(string) { return String(integer) == string }
    if let double = Double(string) { return double.description == string }
    return false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
