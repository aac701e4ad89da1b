import Foundation
import JSONText

/// A value in JSON text: its kind and its range. It does not own the text.
public struct JSONSlice {
  /// The kind of a value, determined by its first byte.
  public enum Kind: Hashable, Sendable {
    case null, boolean, number, string, array, object
  }

  /// The kind of the value.
  public let kind: Kind
  /// The text of the value; for a string, the text between the quotes, including escapes.
  public let text: UnsafeRawBufferPointer

  /// Finds the value that begins at `start`; nil at the end of the text.
  init?(at start: UnsafePointer<UInt8>, _ scanner: JSONScanner) {
    guard start < scanner.end else { return nil }
    var first = start
    var last: UnsafePointer<UInt8>
    switch start.pointee {
    case UInt8(ascii: "\""):
      kind = .string
      first += 1
      last = scanner.endOfString(first)
    case UInt8(ascii: "{"):
      kind = .object
      last = scanner.endOfValue(start)
    case UInt8(ascii: "["):
      kind = .array
      last = scanner.endOfValue(start)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      kind = .boolean
      last = scanner.endOfScalar(start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = .number
      last = scanner.endOfScalar(start)
    default:
      kind = .null
      last = scanner.endOfScalar(start)
    }
    text = UnsafeRawBufferPointer(start: first, count: last - first)
  }

  /// Finds the first value in JSON text; nil if there is none. Text after it is ignored.
  public init?(_ text: UnsafeRawBufferPointer) {
    guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let scanner = JSONScanner(end: base + text.count)
    self.init(at: scanner.skipSpace(base), scanner)
  }

  /// The Boolean; false for a value of another kind.
  public var boolean: Bool { text.first == UInt8(ascii: "t") }

  /// Whether a string contains escapes.
  public var hasEscapes: Bool {
    guard let base = text.baseAddress else { return false }
    return memchr(base, 0x5C, text.count) != nil
  }

  /// Decodes a string.
  ///
  /// - Parameter target: memory for at least as many bytes as ``text`` contains.
  /// - Returns: the number of bytes written.
  public func decodeString(into target: UnsafeMutablePointer<UInt8>) -> Int { JSONString.decode(text, into: target) }

  /// The number, parsed as by ``JSONText/JSONParser``, except that an integer above `Int64.max` is a double.
  public var number: JSONNumber { JSONNumber(text) }
}

/// A number as it is stored in SQLite: an integer if it fits in a signed 64-bit integer, otherwise a double.
public enum JSONNumber: Hashable, Sendable {
  case integer(Int64)
  case double(Double)

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Parses a number. For text that is not a number the result is unspecified.
  init(_ text: UnsafeRawBufferPointer) {
    var index = 0
    var digits = 0
    var fraction = 0
    var mantissa: UInt64 = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    while index < text.count, text[index] &- 0x30 < 10, digits < 19 {
      mantissa = mantissa * 10 + UInt64(text[index] &- 0x30)
      digits += 1
      index += 1
    }
    if index == text.count, digits > 0, digits < 19, !(isNegative && mantissa == 0) {
      self = .integer(isNegative ? -Int64(mantissa) : Int64(mantissa))
      return
    }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      while index < text.count, text[index] &- 0x30 < 10, digits < 19 {
        mantissa = mantissa * 10 + UInt64(text[index] &- 0x30)
        digits += 1
        fraction += 1
        index += 1
      }
      // Clinger's fast path: both numbers are exact doubles, so the quotient is rounded only once.
      if index == text.count, mantissa < 1 << 53, fraction <= 22 {
        let value = Double(mantissa) / JSONNumber.powersOfTen[fraction]
        self = .double(isNegative ? -value : value)
        return
      }
    }
    switch JSONValue(scalar: text) {
    case .int64(let number): self = .integer(number)
    case .uint64(let number): self = .double(Double(number))
    case .double(let number): self = .double(number)
    default: self = .integer(0)
    }
  }
}
