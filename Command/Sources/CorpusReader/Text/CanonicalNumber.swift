/// A number in an untyped format. Text is treated as a number only if the conversion is lossless.
enum CanonicalNumber {
  case integer(Int64)
  case double(Double)

  /// Reads a 64-bit integer or a decimal in canonical form: no leading zeros, no plus sign, no superfluous zeros after
  /// the decimal point. Such text is a valid JSON number. Returns nil for any other text.
  ///
  /// `7`, `-3` and `1.5` are canonical. `007`, `1.50`, `+1`, `1e3` and `-0` are not: they may be part numbers or
  /// versions, which the conversion would change.
  init?(_ text: some Collection<UInt8>) {
    guard let first = text.first, first == UInt8(ascii: "-") || CanonicalNumber.isDigit(first), text.count <= 24,
      text.dropFirst().allSatisfy({ CanonicalNumber.isDigit($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    let string = String(decoding: text, as: UTF8.self)
    if let integer = Int64(string) {
      guard String(integer) == string else { return nil }
      self = .integer(integer)
    } else if let double = Double(string), double.description == string {
      self = .double(double)
    } else {
      return nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
