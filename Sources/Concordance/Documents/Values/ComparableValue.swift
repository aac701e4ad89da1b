import JSONText

/// A value for comparing documents: numbers are compared by value, strings and keys by their bytes, and dictionaries
/// without regard to the order of their keys.
enum ComparableValue: Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string([UInt8])
  case array([ComparableValue])
  case dictionary([[UInt8]: ComparableValue])
  case blob(Blob)

  /// - Parameters:
  ///   - value: the value.
  ///   - depth: its depth in the container that is compared.
  init(_ value: PropertyValue, depth: Int) {
    switch value {
    case .scalar(let value): self.init(scalar: value)
    case .number(let digits): self.init(scalar: JSONValue(number: digits))
    case .dictionary(let dictionary): self = dictionary.comparableValue(depth: depth)
    case .array(let array): self = array.comparableValue(depth: depth)
    case .blob(let blob, _): self = .blob(blob)
    case .text, .removed, .unusable: self = .null
    }
  }

  private init(scalar value: JSONValue) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .int64(let value): self = .integer(value)
    case .uint64(let value): self = .unsigned(value)
    // 1.0 equals 1.
    case .double(let value):
      self =
        Int64(exactly: value).map { .integer($0) } ?? UInt64(exactly: value).map { .unsigned($0) } ?? .number(value)
    case .string(let value): self = .string(Array(value.utf8))
    case .null, .array, .object: self = .null
    }
  }
}
