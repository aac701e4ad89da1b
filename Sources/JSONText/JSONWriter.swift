/// Writes JSON text into a byte buffer.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { object in
///   object.member("path") { $0.write("a/b.txt") }
///   object.member("size") { $0.write(120 as Int64) }
/// }
/// writer.text   // {"path":"a/b.txt","size":120}
/// ```
///
/// Only the escapes that RFC 8259 requires are written: `"`, `\`, and the control characters below U+0020.
public struct JSONWriter {
  /// The UTF-8 text written so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates an empty writer.
  public init() {}

  /// The text written so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Removes the text and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Writes an object. `body` writes its members with ``member(_:_:)``.
  public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    try enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// Writes an array. `body` writes its elements.
  public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    try enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  /// Reserves memory for a text of `count` bytes.
  public mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Writes a key and the value that `body` writes.
  public mutating func member<E: Error>(
    _ key: String, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    write(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    try body(&self)
  }

  /// Writes a member of an object.
  public mutating func member(_ key: String, _ value: String) { member(key) { $0.write(value) } }
  /// Writes a member of an object.
  public mutating func member(_ key: String, _ value: Int64) { member(key) { $0.write(value) } }
  /// Writes a member of an object.
  public mutating func member(_ key: String, _ value: Int) { member(key) { $0.write(Int64(value)) } }
  /// Writes a member of an object.
  public mutating func member(_ key: String, _ value: Double) { member(key) { $0.write(value) } }
  /// Writes a member of an object.
  public mutating func member(_ key: String, _ value: Bool) { member(key) { $0.write(value) } }

  /// Writes a string.
  public mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { write(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Writes the bytes of a string, which must be UTF-8.
  public mutating func write(utf8 string: UnsafeRawBufferPointer) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    JSONString.encode(string, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer.
  public mutating func write(_ number: Int64) {
    separate()
    bytes.append(decimal: number)
  }

  /// Writes the shortest decimal form that parses to the same double. It always has a fraction or an exponent, so
  /// that it is read back as a double. Infinities and NaN, which JSON does not support, become null.
  public mutating func write(_ number: Double) {
    raw(number.isFinite ? "\(number)".utf8 : "null".utf8)
  }

  /// Writes `true` or `false`.
  public mutating func write(_ boolean: Bool) { raw(boolean ? "true".utf8 : "false".utf8) }

  /// Writes `null`.
  public mutating func writeNull() { raw("null".utf8) }

  /// Writes text that is already JSON.
  public mutating func write(rawJSON text: some Collection<UInt8>) { raw(text) }

  /// Writes a tree.
  public mutating func write(_ value: JSONValue) {
    switch value {
    case .null: writeNull()
    case .boolean(let boolean): write(boolean)
    case .int64(let number): write(number)
    case .uint64(let number): raw(String(number).utf8)
    case .double(let number): write(number)
    case .string(let string): write(string)
    case .array(let elements):
      array { writer in elements.forEach { writer.write($0) } }
    case .object(let members):
      object { writer in members.forEach { member in writer.member(member.key) { $0.write(member.value) } } }
    }
  }

  private mutating func enclosed<E: Error>(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    separate()
    bytes.append(open)
    needsComma = false
    try body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func raw(_ text: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

extension [UInt8] {
  /// Appends the decimal digits of a number without creating a string.
  public mutating func append(decimal number: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = number.magnitude
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[start...]))
    }
  }
}
