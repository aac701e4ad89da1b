import CSimdJSON
import Foundation

/// Parses JSON text with simdjson and gives access to the result without building a tree.
///
/// ```swift
/// let parser = try JSONParser()
/// let root = try parser.parse(utf8: #"{"name":"Ghia","stars":4}"#)
/// root["name"]?.string   // "Ghia"
/// root["stars"]?.int64   // 4
/// ```
///
/// A parser owns the memory of the document that it parsed last. Every ``JSONElement`` of that document is a pointer
/// into this memory and is valid until the parser's next parse or its deallocation. Reuse a parser for many documents,
/// so that it does not have to allocate memory again. It is not `Sendable`: use one parser per thread.
///
/// Parsing validates the grammar, UTF-8, escapes, and numbers.
///
/// - Complexity: O(n) in the length of the text, at 1 GB/s or more.
public final class JSONParser {
  private let handle: OpaquePointer
  private var rewritten: [UInt8] = []
  /// The size in bytes of the largest text that was parsed. The parser keeps buffers for it.
  private(set) var largestSize = 0

  /// Creates a parser.
  ///
  /// - Throws: ``JSONError`` of kind ``JSONError/Kind/memory`` if memory allocation fails.
  public init() throws {
    guard let handle = csimdjson_parser_new() else {
      throw JSONError(kind: .memory, offset: nil, reason: "out of memory for a JSON parser")
    }
    self.handle = handle
  }

  deinit { csimdjson_parser_free(handle) }

  /// Parses UTF-8 bytes.
  ///
  /// Integers outside the range of 64 bits are converted to doubles.
  ///
  /// - Parameter bytes: the text, without a byte order mark. It is copied.
  /// - Returns: The root element, valid until the next parse.
  /// - Throws: ``JSONError``, with the offset of the error if it is known.
  public func parse(_ bytes: UnsafeRawBufferPointer) throws -> JSONElement {
    largestSize = max(largestSize, bytes.count)
    var document = csimdjson_document()
    var code = run(bytes, &document)
    if code == csimdjson_error_number, BigNumberPolicy.rewrite(bytes, into: &rewritten) {
      code = rewritten.withUnsafeBytes { run($0, &document) }
    }
    guard code == 0, let tape = document.tape, let strings = document.strings else {
      throw JSONError(simdjsonCode: code, text: bytes)
    }
    return JSONElement(tape: tape, strings: strings, index: 1)
  }

  /// Parses a string. See ``parse(_:)``.
  public func parse(utf8 text: String) throws -> JSONElement {
    var text = text
    return try text.withUTF8 { try parse(UnsafeRawBufferPointer($0)) }
  }

  private func run(_ bytes: UnsafeRawBufferPointer, _ document: inout csimdjson_document) -> Int32 {
    csimdjson_parse(handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &document)
  }
}

/// Handles integers that do not fit in 64 bits. simdjson rejects them, although they are valid JSON.
private enum BigNumberPolicy {
  /// Copies `text`, appending `.0` to each integer that does not fit in 64 bits, so that it is parsed as a double.
  ///
  /// - Returns: Whether there was such an integer.
  static func rewrite(_ text: UnsafeRawBufferPointer, into result: inout [UInt8]) -> Bool {
    result.removeAll(keepingCapacity: true)
    result.reserveCapacity(text.count + 64)
    var found = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") {
        let end = endOfString(text, from: index)
        result.append(contentsOf: text[index..<end])
        index = end
      } else if byte == UInt8(ascii: "-") || isDigit(byte) {
        var end = index + 1
        while end < text.count, isDigit(text[end]) { end += 1 }
        result.append(contentsOf: text[index..<end])
        let isInteger = end == text.count || !(text[end] == UInt8(ascii: ".") || text[end] | 0x20 == 0x65)
        if isInteger, end - index >= 19, !fits(text[index..<end]) {
          result.append(UInt8(ascii: "."))
          result.append(UInt8(ascii: "0"))
          found = true
        }
        // The fraction and the exponent are copied unchanged.
        while end < text.count, isNumberPart(text[end]) {
          result.append(text[end])
          end += 1
        }
        index = end
      } else {
        result.append(byte)
        index += 1
      }
    }
    return found
  }

  private static func fits(_ digits: Slice<UnsafeRawBufferPointer>) -> Bool {
    let number = String(decoding: digits, as: UTF8.self)
    return Int64(number) != nil || UInt64(number) != nil
  }

  private static func endOfString(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
      } else if text[index] == UInt8(ascii: "\"") {
        return index + 1
      } else {
        index += 1
      }
    }
    return text.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte | 0x20 == 0x65 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-")
  }
}

/// A pool of parsers. A used parser already has the buffers that a new parser must allocate.
///
/// `@unchecked Sendable`: `idle` is accessed only under `lock`.
private final class JSONParserPool: @unchecked Sendable {
  static let shared = JSONParserPool()

  /// Parsers of larger texts are released: their buffers have several times the size of the text.
  private static let maximumSize = 1 << 20

  private let lock = NSLock()
  private var idle: [JSONParser] = []

  func take() throws -> JSONParser { try lock.withLock { idle.popLast() } ?? JSONParser() }

  func give(_ parser: JSONParser) {
    guard parser.largestSize <= JSONParserPool.maximumSize else { return }
    lock.withLock { if idle.count < 8 { idle.append(parser) } }
  }
}

extension JSONParser {
  /// Calls `body` with a parser for exclusive use.
  ///
  /// - Throws: ``JSONError`` if memory allocation fails, and any error that `body` throws.
  public static func withShared<T>(_ body: (JSONParser) throws -> T) throws -> T {
    let parser = try JSONParserPool.shared.take()
    defer { JSONParserPool.shared.give(parser) }
    return try body(parser)
  }
}
