import JSONText
import QueryCompiler

/// Extracts the searchable text of documents. It reuses its buffers, so each thread needs one instance.
final class DocumentText {
  private let path: PropertyPath
  private let reader: PropertyReader
  /// Whether documents without a string at the path are searched as a whole.
  private let fallsBack: Bool
  private let parser: JSONParser
  private var buffer: UnsafeMutableRawBufferPointer = .allocate(byteCount: 0, alignment: 1)

  /// - Parameter field: a property path, or nil for the default of ``PatternSearchRequest/field``.
  init(field: String?) throws {
    path = try PropertyPath(field ?? "text")
    reader = PropertyReader(path)
    fallsBack = field == nil
    parser = try JSONParser()
  }

  deinit { buffer.deallocate() }

  /// Calls `body` with the text of a document, the strings that it consists of, and whether the text is known to be
  /// UTF-8.
  ///
  /// A single string is used unchanged, and is not validated: in a damaged file, it can contain any bytes. Several
  /// strings are joined in document order, each ending with a line break.
  ///
  /// - Throws: ``DamagedText``; the errors of `body`.
  func withText<T>(
    of document: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, _ parts: [Range<Int>], _ isValidUTF8: Bool) throws -> T
  ) throws -> T {
    let value = reader.value(in: document)
    if let value, value.kind == .string {
      guard value.hasEscapes else { return try body(value.text, [0..<value.text.count], false) }
      reserve(value.text.count)
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return try body(value.text, [], false)
      }
      let count = value.decodeString(into: start)
      return try body(UnsafeRawBufferPointer(start: start, count: count), [0..<count], false)
    }
    var bytes: [UInt8] = []
    var parts: [Range<Int>] = []
    let root: JSONElement
    do {
      root = try parser.parse(document)
    } catch let error as JSONError where error.kind != .memory {
      throw DamagedText(error: error)
    }
    if fallsBack {
      DocumentText.gather(root, &bytes, &parts)
    } else {
      path.forEachElement(in: root) { element, _ in DocumentText.gather(element, &bytes, &parts) }
    }
    // The parser has validated the document.
    return try bytes.withUnsafeBytes { try body($0, parts, true) }
  }

  private func reserve(_ count: Int) {
    guard buffer.count < count else { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: count + count / 2, alignment: 16)
  }

  private static func gather(_ element: JSONElement, _ bytes: inout [UInt8], _ parts: inout [Range<Int>]) {
    switch element.kind {
    case .string:
      guard let text = element.stringBytes, !text.isEmpty else { return }
      let start = bytes.count
      bytes.append(contentsOf: text)
      if bytes.last != 0x0A { bytes.append(0x0A) }
      parts.append(start..<bytes.count)
    case .object: element.forEachMember { gather($1, &bytes, &parts) }
    case .array: element.forEachElement { gather($0, &bytes, &parts) }
    case .int64, .uint64, .double, .boolean, .null: break
    }
  }
}

/// The text of a stored document is not JSON.
struct DamagedText: Error {
  let error: JSONError
}
