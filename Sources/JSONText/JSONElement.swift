/// A value inside a parsed document: a pointer into the tape of its ``JSONParser``.
///
/// Copies are cheap. An element is valid until the parser's next parse.
///
/// The tape has simdjson's format (doc/tape.md): each value begins with a 64-bit word that has the type in its top byte
/// and, in the other bytes, depending on the type:
///
/// - array, object: the index after its end
/// - string: an offset into a buffer of length-prefixed, unescaped UTF-8
/// - number: nothing; the number is in the next word
public struct JSONElement {
  let tape: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>
  let index: Int

  /// The type of a value. Numbers have the type that represents them exactly.
  public enum Kind: Hashable, Sendable {
    case null, boolean, int64, uint64, double, string, array, object
  }

  /// The type of this value.
  public var kind: Kind {
    switch tag {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"): .int64
    case UInt8(ascii: "u"): .uint64
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    default: .null
    }
  }

  /// The unescaped bytes of a string, or nil for another type. They may contain NUL bytes.
  public var stringBytes: UnsafeRawBufferPointer? {
    guard tag == UInt8(ascii: "\"") else { return nil }
    let start = UnsafeRawPointer(strings + Int(payload))
    let length = start.loadUnaligned(as: UInt32.self)
    return UnsafeRawBufferPointer(start: start + 4, count: Int(length))
  }

  /// The string, or nil for another type.
  public var string: String? {
    stringBytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The integer if it is at most `Int64.max`, or nil for any other value.
  public var int64: Int64? {
    tag == UInt8(ascii: "l") ? Int64(bitPattern: tape[index + 1]) : nil
  }

  /// The integer above `Int64.max`, or nil for any other value.
  public var uint64: UInt64? {
    tag == UInt8(ascii: "u") ? tape[index + 1] : nil
  }

  /// The number if it was parsed as a double, or nil for any other value.
  public var double: Double? {
    tag == UInt8(ascii: "d") ? Double(bitPattern: tape[index + 1]) : nil
  }

  /// The boolean, or nil for another type.
  public var boolean: Bool? {
    switch tag {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The first member of an object with this key.
  ///
  /// - Complexity: O(n) in the number of members.
  public subscript(key: String) -> JSONElement? {
    var key = key
    return key.withUTF8 { member(UnsafeRawBufferPointer($0)) }
  }

  /// The element of an array at a position; a negative position counts from the end.
  ///
  /// - Complexity: O(n) in the position, or in the number of elements if the position is negative.
  public subscript(position: Int) -> JSONElement? {
    guard kind == .array else { return nil }
    var remaining = position
    if position < 0 {
      var count = 0
      forEachElement { _ in count += 1 }
      remaining += count
    }
    guard remaining >= 0 else { return nil }
    var cursor = index + 1
    let end = endIndex - 1
    while cursor < end {
      let element = JSONElement(tape: tape, strings: strings, index: cursor)
      if remaining == 0 { return element }
      remaining -= 1
      cursor = element.endIndex
    }
    return nil
  }

  /// Calls `body` with each member of an object, in document order. Does nothing for another type.
  public func forEachMember<E: Error>(
    _ body: (UnsafeRawBufferPointer, JSONElement) throws(E) -> Void
  ) throws(E) {
    guard tag == UInt8(ascii: "{") else { return }
    var cursor = index + 1
    let end = endIndex - 1
    while cursor < end {
      let key = JSONElement(tape: tape, strings: strings, index: cursor)
      let value = JSONElement(tape: tape, strings: strings, index: cursor + 1)
      if let bytes = key.stringBytes { try body(bytes, value) }
      cursor = value.endIndex
    }
  }

  /// Calls `body` with each element of an array. Does nothing for another type.
  public func forEachElement<E: Error>(_ body: (JSONElement) throws(E) -> Void) throws(E) {
    guard tag == UInt8(ascii: "[") else { return }
    var cursor = index + 1
    let end = endIndex - 1
    while cursor < end {
      let element = JSONElement(tape: tape, strings: strings, index: cursor)
      try body(element)
      cursor = element.endIndex
    }
  }

  /// Returns the member of an object whose key has these bytes.
  func member(_ key: UnsafeRawBufferPointer) -> JSONElement? {
    guard tag == UInt8(ascii: "{") else { return nil }
    var cursor = index + 1
    let end = endIndex - 1
    while cursor < end {
      let name = JSONElement(tape: tape, strings: strings, index: cursor)
      let value = JSONElement(tape: tape, strings: strings, index: cursor + 1)
      if let bytes = name.stringBytes, bytes.elementsEqual(key) { return value }
      cursor = value.endIndex
    }
    return nil
  }

  private var tag: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }

  private var payload: UInt64 { tape[index] & 0x00FF_FFFF_FFFF_FFFF }

  /// The index after this value.
  private var endIndex: Int {
    switch tag {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(payload & 0xFFFF_FFFF)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }
}

extension JSONElement.Kind: CustomStringConvertible {
  /// The JSON name of the type. All number types are named `number`.
  public var description: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .int64, .uint64, .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
