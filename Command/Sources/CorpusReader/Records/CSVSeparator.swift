/// The character that separates the cells of a table.
struct CSVSeparator: Equatable {
  let byte: UInt8
  /// Whether the first line of the file names the separator, as `sep=;`. It is then not a row.
  private(set) var isDeclared = false

  init(byte: UInt8) { self.byte = byte }

  /// Determines the separator of a table from the first bytes of the file.
  ///
  /// It is the most frequent of comma, semicolon and tab outside quotes in the header, or the vertical bar if the
  /// header has none of them; of equally frequent ones, the first. Those that are as frequent in the second row are
  /// preferred. Spreadsheets write semicolons if the comma is the decimal separator. They also read a first line
  /// `sep=;`, which some programs write.
  init(of head: UnsafeRawBufferPointer) {
    let line = head.prefix { !CSVSeparator.isLineBreak($0) }
    if line.count == 5, line.starts(with: "sep=".utf8), let last = line.last, last != UInt8(ascii: "\"") {
      byte = last
      isDeclared = true
    } else {
      byte = CSVSeparator.guessed(from: head)
    }
  }

  /// In the order of preference.
  private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  private static func guessed(from head: UnsafeRawBufferPointer) -> UInt8 {
    let rows = counts(in: head)
    let (header, second) = (rows[0], rows[1])
    var present = candidates.indices.filter { header[$0] > 0 }
    if present.count > 1 { present.removeAll { candidates[$0] == UInt8(ascii: "|") } }
    let equal = present.filter { header[$0] == second[$0] }
    let preferred = equal.isEmpty ? present : equal
    let maximum = preferred.map { header[$0] }.max()
    return preferred.first { header[$0] == maximum }.map { candidates[$0] } ?? UInt8(ascii: ",")
  }

  /// Returns the numbers of the candidates outside quotes in the first two rows that are not empty; 0 for a missing
  /// row.
  private static func counts(in head: UnsafeRawBufferPointer) -> [[Int]] {
    let quote = UInt8(ascii: "\"")
    var counts = [[Int]](repeating: [Int](repeating: 0, count: candidates.count), count: 2)
    var row = 0
    var endsAtReturn: Bool?
    var isQuoted = false
    // A quotation mark begins a quoted cell only at the start of a cell.
    var isCellStart = true
    var isRowEmpty = true
    for (index, byte) in head.enumerated() {
      if !isQuoted, isLineBreak(byte) {
        let isFeedNext = index + 1 < head.count && head[index + 1] == UInt8(ascii: "\n")
        let isReturn = byte == UInt8(ascii: "\r") && !isFeedNext
        // As in the row reader, the first line break determines whether a carriage return ends a row.
        if endsAtReturn == nil { endsAtReturn = isReturn }
        if !isReturn || endsAtReturn == true {
          // The row reader skips empty lines.
          if isRowEmpty { continue }
          row += 1
          if row == counts.count { break }
          (isCellStart, isRowEmpty) = (true, true)
          continue
        }
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
      if let candidate { counts[row][candidate] += 1 }
      isCellStart = candidate != nil
    }
    return counts
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
