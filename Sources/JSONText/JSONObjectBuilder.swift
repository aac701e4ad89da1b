/// Builds the text of an object and its parsed form together.
///
/// A program that creates a document from values, and also needs it as a ``JSONElement``, does not have to parse the
/// text that it has just written.
///
/// ```swift
/// var builder = JSONObjectBuilder()
/// builder.add("path", "a.txt")
/// builder.add("size", 120 as Int64)
/// builder.withObject { bytes, root in
///   String(decoding: bytes, as: UTF8.self)   // {"path":"a.txt","size":120}
///   root["size"]?.int64                      // 120
/// }
/// ```
public struct JSONObjectBuilder {
  private var text: [UInt8] = [UInt8(ascii: "{")]
  /// The tape in the format that ``JSONElement`` reads: the root, the object's first word, and its members.
  private var tape: [UInt64] = [0, 0]
  private var strings: [UInt8] = []

  /// Creates a builder for an object, initially empty.
  public init() {}

  /// Adds a string.
  public mutating func add(_ key: String, _ value: String) {
    var value = value
    value.withUTF8 { add(key, utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a string, which must be UTF-8 and shorter than 4 GiB.
  public mutating func add(_ key: String, utf8 value: UnsafeRawBufferPointer) {
    beginMember(key)
    appendString(value)
  }

  /// Adds an integer.
  public mutating func add(_ key: String, _ value: Int64) {
    beginMember(key)
    text.append(contentsOf: String(value).utf8)
    tape.append(word("l"))
    tape.append(UInt64(bitPattern: value))
  }

  /// Adds a finite number, written with the fewest digits that parse back to the same double.
  public mutating func add(_ key: String, _ value: Double) {
    beginMember(key)
    text.append(contentsOf: value.description.utf8)
    tape.append(word("d"))
    tape.append(value.bitPattern)
  }

  /// Adds a value that is already JSON.
  ///
  /// - Parameters:
  ///   - json: the text of the value.
  ///   - value: the same text, parsed.
  public mutating func add(_ key: String, json: some Collection<UInt8>, _ value: JSONElement) {
    beginMember(key)
    text.append(contentsOf: json)
    appendParsed(value)
  }

  /// Ends the object and calls `body` with its text and its root, which is valid during the call.
  ///
  /// - Throws: the errors of `body`.
  public consuming func withObject<T>(_ body: ([UInt8], JSONElement) throws -> T) throws -> T {
    var object = self
    object.tape.append(object.word("}", payload: 1))
    object.tape[1] = object.word("{", payload: object.tape.count)
    object.text.append(UInt8(ascii: "}"))
    // An empty array might not have an address.
    object.strings.append(0)
    let text = object.text
    return try object.tape.withUnsafeBufferPointer { tape in
      try object.strings.withUnsafeBufferPointer { strings in
        guard let words = tape.baseAddress, let characters = strings.baseAddress else {
          throw JSONError(kind: .memory, offset: nil, reason: "out of memory for a JSON object")
        }
        return try body(text, JSONElement(tape: words, strings: characters, index: 1))
      }
    }
  }

  private mutating func beginMember(_ key: String) {
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    var key = key
    key.withUTF8 { appendString(UnsafeRawBufferPointer($0)) }
    text.append(UInt8(ascii: ":"))
  }

  private mutating func appendString(_ value: UnsafeRawBufferPointer) {
    text.append(UInt8(ascii: "\""))
    JSONString.encode(value, into: &text)
    text.append(UInt8(ascii: "\""))
    appendParsedString(value)
  }

  private mutating func appendParsedString(_ value: UnsafeRawBufferPointer) {
    tape.append(word("\"", payload: strings.count))
    withUnsafeBytes(of: UInt32(clamping: value.count)) { strings.append(contentsOf: $0) }
    strings.append(contentsOf: value)
  }

  private mutating func appendParsed(_ value: JSONElement) {
    switch value.kind {
    case .string: value.stringBytes.map { appendParsedString($0) }
    case .object, .array:
      let isObject = value.kind == .object
      let start = tape.count
      tape.append(0)
      if isObject {
        value.forEachMember { key, element in
          appendParsedString(key)
          appendParsed(element)
        }
      } else {
        value.forEachElement { appendParsed($0) }
      }
      tape.append(word(isObject ? "}" : "]", payload: start))
      tape[start] = word(isObject ? "{" : "[", payload: tape.count)
    case .int64, .uint64, .double: tape.append(contentsOf: value.numberWords)
    case .boolean: tape.append(word(value.boolean == true ? "t" : "f"))
    case .null: tape.append(word("n"))
    }
  }

  private func word(_ tag: Unicode.Scalar, payload: Int = 0) -> UInt64 {
    UInt64(UInt8(ascii: tag)) << 56 | UInt64(payload)
  }
}

extension JSONElement {
  /// The two words of a number.
  fileprivate var numberWords: UnsafeBufferPointer<UInt64> { UnsafeBufferPointer(start: tape + index, count: 2) }
}
