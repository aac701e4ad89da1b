/// Splits a file of comma-separated values into rows (RFC 4180).
///
/// SwiftCSV needs the whole file as one string, does not report line numbers, and rejects the whole file at the first
/// malformed row. This reader handles files of any size and loses only the malformed row.
///
/// A row ends with a line feed, or with a carriage return and a line feed. A carriage return alone ends rows only if it
/// ends the first one; otherwise it is part of the text of its cell. A quoted cell may contain separators, line breaks
/// and doubled quotes. Outside quoted cells a quote is an ordinary byte, as in spreadsheets.
struct CSVRowReader {
  /// The result of reading a row. The row's line is in ``CSVRowReader/line``.
  enum Outcome: Equatable {
    /// A row, available in the cells.
    case row
    /// A malformed row and the reason.
    case malformed(String)
    /// The file ends within a quoted cell: it is being written, or an unmatched quote extends the cell over the rows
    /// after it.
    case unclosed
    case tooLarge(Int64)
  }

  private let source: ByteSource
  private let buffer: ByteBuffer
  private let limit: Int
  private let separator: UInt8
  private var index = 0
  /// The line being read.
  private var currentLine = 1
  /// The line that the row begins on.
  private(set) var line = 1
  /// The concatenated bytes of the row's cells, without quotes.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The number of cells in the row.
  private(set) var count = 0
  private var size: Int64 = 0
  /// Whether a carriage return alone ends a row; nil until the first row ends.
  private var endsAtReturn: Bool?

  /// The maximum number of columns of a table.
  static let maximumColumnCount = 100_000

  init(_ source: ByteSource, buffer: ByteBuffer, limit: Int, separator: UInt8) {
    self.source = source
    self.buffer = buffer
    self.limit = limit
    self.separator = separator
    buffer.removeAll()
  }

  /// The bytes of a cell, one of the first ``maximumColumnCount``.
  func cell(_ position: Int) -> ArraySlice<UInt8> {
    bytes[(position == 0 ? 0 : ends[position - 1])..<ends[position]]
  }

  /// Whether the row contains a NUL byte.
  var hasNUL: Bool { bytes.withUnsafeBytes { $0.hasNUL } }

  private enum State { case cellStart, plain, quoted, quoteInQuoted }

  /// Reads the next row; nil at the end. Empty lines are skipped.
  mutating func next() throws -> Outcome? {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    count = 0
    size = 0
    line = currentLine
    var state = State.cellStart
    var fault: String?
    while let byte = try nextByte() {
      if byte == UInt8(ascii: "\n") { currentLine += 1 }
      switch (state, byte) {
      case (.quoted, UInt8(ascii: "\"")):
        state = .quoteInQuoted
      case (.quoted, _):
        append(byte)
      case (.quoteInQuoted, UInt8(ascii: "\"")):
        append(byte)
        state = .quoted
      case (.cellStart, UInt8(ascii: "\"")):
        state = .quoted
      case (_, separator):
        endCell()
        state = .cellStart
      case (_, UInt8(ascii: "\n")), (_, UInt8(ascii: "\r")):
        guard try endsRow(byte) else {
          if state == .quoteInQuoted {
            fault = fault ?? "text after a closing quote"
          } else {
            append(byte)
            state = .plain
          }
          continue
        }
        if count == 0, state == .cellStart {
          size = 0
          line = currentLine
          continue
        }
        return finish(fault)
      case (.quoteInQuoted, _):
        fault = fault ?? "text after a closing quote"
      default:
        append(byte)
        state = .plain
      }
    }
    if state == .quoted { return .unclosed }
    if count == 0, bytes.isEmpty, state == .cellStart { return nil }
    return finish(fault)
  }

  /// Returns whether a line feed or a carriage return outside quotes ends the row. Skips the line feed after a carriage
  /// return.
  private mutating func endsRow(_ byte: UInt8) throws -> Bool {
    guard byte == UInt8(ascii: "\r") else {
      if endsAtReturn == nil { endsAtReturn = false }
      return true
    }
    let isFeedNext = try peek() == UInt8(ascii: "\n")
    if isFeedNext { index += 1 }
    if endsAtReturn == nil { endsAtReturn = !isFeedNext }
    guard isFeedNext || endsAtReturn == true else { return false }
    currentLine += 1
    return true
  }

  private mutating func finish(_ fault: String?) -> Outcome {
    if size > Int64(limit) { return .tooLarge(size) }
    if let fault { return .malformed(fault) }
    endCell()
    return .row
  }

  private mutating func endCell() {
    count += 1
    // A row with more cells than a header can have is not used, so the other cells are only counted.
    if count <= CSVRowReader.maximumColumnCount { ends.append(bytes.count) }
  }

  private mutating func append(_ byte: UInt8) {
    // A row above the limit is measured but not kept.
    if bytes.count <= limit { bytes.append(byte) }
  }

  private mutating func nextByte() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    index += 1
    size += 1
    return byte
  }

  /// Returns the next byte, which is then still the next one.
  private mutating func peek() throws -> UInt8? {
    if index == buffer.count {
      buffer.removeAll()
      index = 0
      if try !source.read(into: buffer) { return nil }
    }
    return buffer.bytes[index]
  }
}
