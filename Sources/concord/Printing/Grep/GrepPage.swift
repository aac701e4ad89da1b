import Concordance

/// The printed lines of one document.
struct GrepPage {
  private let format: GrepFormat
  private let id: String
  private var output: GrepBytes
  private var hasHeading = false

  init(_ format: GrepFormat, id: String) {
    self.format = format
    self.id = id
    output = GrepBytes(format)
  }

  var bytes: [UInt8] { output.bytes }

  mutating func show(_ shown: GrepShownLine) {
    if shown.line.followsGap, let separator = format.contextSeparator {
      output.append(text: separator)
      output.append(UInt8(ascii: "\n"))
    }
    guard !shown.matches.isEmpty else { return showLines(shown) }
    if format.onlyMatching {
      showMatches(shown)
    } else if format.isPerMatch {
      for match in shown.matches { showFirstLine(of: match, shown) }
    } else {
      showLines(shown)
    }
  }

  /// Every line, matches marked.
  private mutating func showLines(_ shown: GrepShownLine) {
    for (number, range) in shown.lines.enumerated() {
      showPrefix(shown, lineNumber: number, offset: range.lowerBound, column: shown.matches.first?.lowerBound)
      showLine(shown, range, shown.matches)
    }
  }

  /// The line that a match begins on.
  private mutating func showFirstLine(of match: Range<Int>, _ shown: GrepShownLine) {
    for (number, range) in shown.lines.enumerated()
    where range.upperBound > match.lowerBound || range.upperBound == shown.bytes.count {
      showPrefix(shown, lineNumber: number, offset: match.lowerBound, column: match.lowerBound - range.lowerBound)
      return showLine(shown, range, [match])
    }
  }

  /// Each match by itself, a line for each line that it reaches over.
  private mutating func showMatches(_ shown: GrepShownLine) {
    let lines = shown.lines
    for match in shown.matches {
      for (number, range) in lines.enumerated() {
        let isOn = match.isEmpty ? range.contains(match.lowerBound) || number == lines.count - 1 : range.overlaps(match)
        guard isOn else { continue }
        let part = match.clamped(to: withoutBreak(shown.bytes, range))
        showPrefix(shown, lineNumber: number, offset: match.lowerBound, column: match.lowerBound)
        if isTooLong(part.count) {
          showExcess(shown, part, [part])
        } else {
          showColored(shown.bytes, content(shown.bytes, part), [part])
          output.append(UInt8(ascii: "\n"))
        }
        if match.isEmpty { break }
      }
    }
  }

  private mutating func showPrefix(_ shown: GrepShownLine, lineNumber: Int, offset: Int, column: Int?) {
    let separator = UInt8(ascii: shown.line.kind == .match ? ":" : "-")
    if format.hasHeading {
      if !hasHeading, format.showsID {
        output.append(id.utf8, as: .id)
        output.append(format.endsIDsWithNUL ? 0 : UInt8(ascii: "\n"))
      }
      hasHeading = true
    } else if format.showsID {
      output.append(id.utf8, as: .id)
      output.append(format.endsIDsWithNUL ? 0 : separator)
    }
    if format.showsNumbers, let number = shown.line.number {
      output.append(String(number + lineNumber).utf8, as: .lineNumber)
      output.append(separator)
    }
    if format.showsColumn, let column {
      output.append(String(column + 1).utf8, as: .column)
      output.append(separator)
    }
    if format.showsOffset {
      output.append(String(shown.line.range.lowerBound + offset).utf8, as: .column)
      output.append(separator)
    }
  }

  private mutating func showLine(_ shown: GrepShownLine, _ range: Range<Int>, _ matches: [Range<Int>]) {
    if isTooLong(range.count) { return showExcess(shown, range, matches) }
    showColored(shown.bytes, content(shown.bytes, range), matches)
    output.append(UInt8(ascii: "\n"))
  }

  private func isTooLong(_ count: Int) -> Bool { format.maximumColumns.map { count > $0 } ?? false }

  /// A line without its line break, and without white space at its beginning where that is trimmed.
  private func content(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    let range = withoutBreak(bytes, range)
    guard format.trims else { return range }
    let start = bytes[range].firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? range.upperBound
    return start..<range.upperBound
  }

  private func withoutBreak(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    bytes[range].last == 0x0A ? range.lowerBound..<(range.upperBound - 1) : range
  }

  private mutating func showColored(_ bytes: [UInt8], _ range: Range<Int>, _ matches: [Range<Int>]) {
    guard output.isColored else { return output.append(text: bytes[range]) }
    var place = range.lowerBound
    var index = 0
    while index < matches.count {
      var part = matches[index].clamped(to: place..<range.upperBound)
      index += 1
      // Matches side by side are coloured as one.
      while index < matches.count, matches[index].lowerBound == part.upperBound {
        part = part.lowerBound..<min(matches[index].upperBound, range.upperBound)
        index += 1
      }
      guard !part.isEmpty else { continue }
      output.append(text: bytes[place..<part.lowerBound])
      output.append(bytes[part], as: .match)
      place = part.upperBound
    }
    output.append(text: bytes[place..<range.upperBound])
  }

  /// In place of a line that is too long: a note, or its beginning and a note.
  private mutating func showExcess(_ shown: GrepShownLine, _ range: Range<Int>, _ matches: [Range<Int>]) {
    if format.showsPreview {
      let end = GrepPage.end(ofCharacters: format.maximumColumns ?? 0, shown.bytes, range)
      showColored(shown.bytes, content(shown.bytes, range.lowerBound..<end), matches)
      if shown.matches.isEmpty {
        output.append(" [... omitted end of long line]")
      } else {
        let rest = matches.filter { $0.lowerBound >= end && $0.lowerBound < range.upperBound }.count
        output.append(" [... \(rest) more \(rest == 1 ? "match" : "matches")]")
      }
    } else if shown.matches.isEmpty || format.onlyMatching {
      output.append(shown.line.kind == .match ? "[Omitted long matching line]" : "[Omitted long context line]")
    } else {
      output.append("[Omitted long line with \(shown.matchCount) matches]")
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// Where the first characters of a range end, as people see characters.
  private static func end(ofCharacters count: Int, _ bytes: [UInt8], _ range: Range<Int>) -> Int {
    // A character takes a byte at least, and 64 for the worst that is no attack; more than that is not looked at.
    let text = String(
      decoding: bytes[range].prefix(count.multipliedReportingOverflow(by: 64).partialValue), as: UTF8.self)
    return range.lowerBound + min(text.prefix(count).utf8.count, range.count)
  }
}
