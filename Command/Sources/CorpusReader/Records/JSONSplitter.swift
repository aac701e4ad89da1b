/// Finds the elements of a JSON array, or the single value of a file, by scanning for brackets and quotes.
///
/// The elements are not parsed; the parser checks the content of each element afterwards.
struct JSONSplitter {
  /// An element, the line that it begins on, and its ordinal among the elements that begin on that line, counted from
  /// 1.
  enum Element {
    /// Valid until the next element is read.
    case text(UnsafeRawBufferPointer, line: Int, ordinal: Int)
    case tooLarge(Int64, line: Int)
  }

  /// A syntax error in the array outside its elements.
  struct Fault: Error {
    let line: Int
    let reason: String
  }

  private enum State { case start, firstElement, element, separator, end }

  private var buffer: PieceBuffer
  private var index = 0
  private var line = 1
  private var state = State.start
  /// The line of the last element, and the number of elements that began on it so far.
  private var begun = (line: 0, count: 0)

  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int) {
    self.buffer = PieceBuffer(source, buffer: buffer, limit: limit)
  }

  mutating func next() throws -> Element? {
    while true {
      guard let byte = try skipSpace() else {
        switch state {
        case .end: return nil
        case .start: throw Fault(line: line, reason: "not JSON: the file is empty")
        default: throw Fault(line: line, reason: "not JSON: the array is not closed")
        }
      }
      switch state {
      case .start:
        if byte == UInt8(ascii: "[") {
          index += 1
          state = .firstElement
        } else {
          state = .end
          return try takeElement(inArray: false)
        }
      case .firstElement where byte == UInt8(ascii: "]"):
        index += 1
        state = .end
      case .firstElement, .element:
        state = .separator
        return try takeElement(inArray: true)
      case .separator:
        guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
          throw Fault(line: line, reason: "not JSON: expected \",\" or \"]\" after an element")
        }
        index += 1
        state = byte == UInt8(ascii: ",") ? .element : .end
      case .end:
        throw Fault(
          line: line,
          reason: "more than one JSON value in the file; use the format jsonl for one object per line")
      }
    }
  }

  /// Returns the next byte that is not white space, or nil at the end.
  private mutating func skipSpace() throws -> UInt8? {
    while true {
      let bytes = buffer.bytes
      while index < bytes.count, bytes[index].isJSONSpace {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
      if index < bytes.count { return bytes[index] }
      let added = try buffer.extend(from: bytes.count)
      index = 0
      if added == nil { return nil }
    }
  }

  /// Consumes the value that begins at the index. An object or array ends with its closing bracket; any other value
  /// ends before a closing bracket, before a comma of the array, or at the end of the file.
  private mutating func takeElement(inArray: Bool) throws -> Element {
    let firstLine = line
    begun = (line, begun.line == line ? begun.count + 1 : 1)
    var start = index
    var depth = 0
    var isInString = false
    var isEscaped = false
    while true {
      let bytes = buffer.bytes
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") { line += 1 }
        if isEscaped {
          isEscaped = false
        } else if isInString {
          if byte == UInt8(ascii: "\\") { isEscaped = true }
          if byte == UInt8(ascii: "\"") { isInString = false }
        } else {
          switch byte {
          case UInt8(ascii: "\""): isInString = true
          case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
          case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if depth == 0 { return finish(start, index, firstLine) }
            depth -= 1
            if depth == 0 {
              index += 1
              return finish(start, index, firstLine)
            }
          case UInt8(ascii: ",") where depth == 0 && inArray: return finish(start, index, firstLine)
          default: break
          }
        }
        index += 1
      }
      let added = try buffer.extend(from: start)
      start = 0
      guard let added else { return finish(0, buffer.bytes.count, firstLine) }
      index = added
    }
  }

  private mutating func finish(_ start: Int, _ end: Int, _ firstLine: Int) -> Element {
    let (element, size) = buffer.end(start..<end)
    guard let element else { return .tooLarge(size, line: firstLine) }
    return .text(element.trimmingJSONSpace, line: firstLine, ordinal: begun.count)
  }
}
