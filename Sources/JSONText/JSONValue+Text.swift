extension JSONValue {
  /// Creates a string, number, boolean or null from its text, as a ``JSONParser`` does.
  ///
  /// ```swift
  /// Array("1.50".utf8).withUnsafeBytes { JSONValue(scalar: $0) }   // .double(1.5)
  /// ```
  ///
  /// - Parameter text: the value without white space around it. It must be valid JSON; for any other text the result is
  ///   undefined.
  public init(scalar text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "\""):
      self = .string(JSONString.string(UnsafeRawBufferPointer(rebasing: text.dropFirst().dropLast())))
    case UInt8(ascii: "t"): self = .boolean(true)
    case UInt8(ascii: "f"): self = .boolean(false)
    case UInt8(ascii: "n"), nil: self = .null
    default: self = JSONValue.shortInteger(text).map { .int64($0) } ?? JSONValue.parsed(text)
    }
  }

  /// Creates a number from its digits; null if they are not a number.
  public init(number digits: String) {
    var digits = digits
    self = digits.withUTF8 { JSONValue(scalar: UnsafeRawBufferPointer($0)) }
  }

  private static func parsed(_ text: UnsafeRawBufferPointer) -> JSONValue {
    // Validated text can always be parsed. Errors in other text are reported when it is validated.
    (try? JSONParser.withShared { JSONValue(try $0.parse(text)) }) ?? .null
  }

  /// Parses integers of up to 18 digits, the most common numbers.
  private static func shortInteger(_ text: UnsafeRawBufferPointer) -> Int64? {
    var digits = Slice(base: text, bounds: text.indices)
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard (1...18).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}
