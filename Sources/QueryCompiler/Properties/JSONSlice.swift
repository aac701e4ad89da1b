import Foundation
import JSONText

/// A value as it stands in JSON text: what it is, and where. It does not own the text.
public struct JSONSlice {
  /// What a value is, told by its first byte.
  public enum Kind: Hashable, Sendable {
    case null, boolean, number, string, array, object
  }

  /// What the value is.
  public let kind: Kind
  /// Its text: of a string what stands between the quotes, escapes in place.
  public let text: UnsafeRawBufferPointer

  /// The value that begins at `start`, or nil where the text ends.
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

  /// The value that a text holds, or nil for text without one. What follows it is not looked at.
  public init?(_ text: UnsafeRawBufferPointer) {
    guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let scanner = JSONScanner(end: base + text.count)
    self.init(at: scanner.skipSpace(base), scanner)
  }

  /// The boolean; false for a value of another kind.
  public var boolean: Bool { text.first == UInt8(ascii: "t") }

  /// Whether a string holds escapes.
  public var hasEscapes: Bool {
    guard let base = text.baseAddress else { return false }
    return memchr(base, 0x5C, text.count) != nil
  }

  /// Writes a string without its escapes.
  ///
  /// - Parameter target: room for as many bytes as ``text`` has.
  /// - Returns: how many bytes were written.
  public func decodeString(into target: UnsafeMutablePointer<UInt8>) -> Int { JSONString.decode(text, into: target) }

  /// The number, read as ``JSONText/JSONParser`` reads it, one above `Int64.max` as a double.
  public var number: JSONNumber { JSONNumber(text) }
}

/// A number as it is stored in SQLite: an integer where 64 bits with a sign hold it, otherwise a double.
public enum JSONNumber: Hashable, Sendable {
  case integer(Int64)
  case double(Double)

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Reads a number. Text that is none gives some number.
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
      // Clinger's fast path: both numbers are doubles exactly, so that the quotient is rounded once.
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
