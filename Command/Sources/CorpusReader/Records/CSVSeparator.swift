/// The character that separates the cells of a table.
struct CSVSeparator: Equatable {
  let byte: UInt8
  /// Whether the first line of the file names the separator, as `sep=;`. It is then not a row.
  private(set) var isDeclared = false

  init(byte: UInt8) { self.byte = byte }

  /// Determines the separator of a table from the first bytes of the file.
  ///
  /// It is the most frequent of comma, semicolon, tab and vertical bar outside quotes in the first row, and the comma
  /// if others are as frequent. Spreadsheets write semicolons if the comma is the decimal separator. They also read a
  /// first line `sep=;`, which some programs write.
  init(of head: UnsafeRawBufferPointer) {
    let line = head.prefix { !CSVSeparator.isLineBreak($0) }
    if line.count == 5, line.starts(with: "sep=".utf8), let last = line.last, last != UInt8(ascii: "\"") {
      byte = last
      isDeclared = true
    } else {
      byte = CSVSeparator.mostFrequent(in: head)
    }
  }

  /// In the order of preference.
  private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  private static func mostFrequent(in head: UnsafeRawBufferPointer) -> UInt8 {
    let quote = UInt8(ascii: "\"")
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    // A quotation mark begins a quoted cell only at the start of a cell.
    var isCellStart = true
    var isRowEmpty = true
    for byte in head {
      // The row reader skips empty lines.
      if !isQuoted, isLineBreak(byte) {
        if isRowEmpty { continue }
        break
      }
      isRowEmpty = false
      if isQuoted {
        // The second of two quotation marks in a quoted cell begins the quoted text again.
        if byte == quote { (isQuoted, isCellStart) = (false, true) }
        continue
      }
      if byte == quote, isCellStart {
        isQuoted = true
        continue
      }
      let candidate = candidates.firstIndex(of: byte)
      if let candidate { counts[candidate] += 1 }
      isCellStart = candidate != nil
    }
    let maximum = counts.max() ?? 0
    return counts.firstIndex(of: maximum).map { candidates[$0] } ?? UInt8(ascii: ",")
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
