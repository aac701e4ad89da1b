import Concordance

/// The output lines of one document.
struct GrepPage {
  let format: GrepFormat
  private let id: String
  /// Whether matches may span lines.
  private let spansLines: Bool
  var output: GrepBytes
  private var hasHeading = false

  init(_ format: GrepFormat, id: String, spansLines: Bool) {
    self.format = format
    self.id = id
    self.spansLines = spansLines
    output = GrepBytes(format)
  }

  var bytes: [UInt8] { output.bytes }

  mutating func show(_ shown: GrepDisplayLine) {
    if shown.line.followsGap, let separator = format.contextSeparator {
      output.append(text: separator)
      output.append(UInt8(ascii: "\n"))
    }
    // Replacements may leave nothing of a last line without a line break. If matches may span lines, ripgrep does not
    // print it.
    guard !shown.bytes.isEmpty || !spansLines else { return }
    guard !shown.matches.isEmpty else { return showLines(shown) }
    if format.onlyMatching {
      showMatches(shown)
    } else if format.isPerMatch {
      showFirstLines(shown)
    } else {
      showLines(shown)
    }
  }

  /// Prints every line with highlighted matches.
  private mutating func showLines(_ shown: GrepDisplayLine) {
    var matches = shown.matches[...]
    if shown.bytes.isEmpty {
      showPrefix(shown, lineNumber: 0, offset: 0, column: shown.matches.first?.lowerBound)
      showLine(shown, 0..<0, matches)
    }
    shown.forEachLine { number, range in
      while let match = matches.first, match.upperBound < range.lowerBound { matches = matches.dropFirst() }
      showPrefix(shown, lineNumber: number, offset: range.lowerBound, column: shown.matches.first?.lowerBound)
      showLine(shown, range, matches)
      return true
    }
  }

  /// Prints, for each match, the line on which it begins.
  private mutating func showFirstLines(_ shown: GrepDisplayLine) {
    var range = 0..<shown.end(ofLineAt: 0)
    var number = 0
    for index in shown.matches.indices {
      let match = shown.matches[index]
      while range.upperBound <= match.lowerBound, range.upperBound < shown.bytes.count {
        range = range.upperBound..<shown.end(ofLineAt: range.upperBound)
        number += 1
      }
      showPrefix(shown, lineNumber: number, offset: match.lowerBound, column: match.lowerBound - range.lowerBound)
      showLine(shown, range, shown.matches[index...index])
    }
  }

  /// Prints only the matched text, one output line for each line that a match spans.
  private mutating func showMatches(_ shown: GrepDisplayLine) {
    var range = 0..<shown.end(ofLineAt: 0)
    var number = 0
    for index in shown.matches.indices {
      let match = shown.matches[index]
      while true {
        let isLast = range.upperBound >= shown.bytes.count
        if range.upperBound > match.lowerBound || isLast {
          showMatch(at: index, on: range, lineNumber: number, shown)
        }
        if isLast || range.upperBound >= match.upperBound && range.upperBound > match.lowerBound { break }
        range = range.upperBound..<shown.end(ofLineAt: range.upperBound)
        number += 1
      }
    }
  }

  /// Prints the part of a match that is on one line.
  private mutating func showMatch(at index: Int, on range: Range<Int>, lineNumber: Int, _ shown: GrepDisplayLine) {
    let match = shown.matches[index]
    let part = match.clamped(to: shown.content(of: range))
    // The part of a match that is on an empty line is empty and is not printed.
    if part.isEmpty, !match.isEmpty { return }
    showPrefix(shown, lineNumber: lineNumber, offset: match.lowerBound, column: match.lowerBound)
    if isTooLong(part.count) {
      showExcess(shown, part, shown.matches[index...index])
    } else {
      showColored(shown, content(shown, part), shown.matches[index...index])
      output.append(UInt8(ascii: "\n"))
    }
  }

  private mutating func showPrefix(_ shown: GrepDisplayLine, lineNumber: Int, offset: Int, column: Int?) {
    let separator = shown.line.kind == .match ? format.matchSeparator : format.fieldContextSeparator
    if format.hasHeading {
      if !hasHeading, format.showsID {
        output.append(id.utf8, as: .id)
        output.append(format.endsIDsWithNUL ? 0 : UInt8(ascii: "\n"))
      }
      hasHeading = true
    } else if format.showsID {
      output.append(id.utf8, as: .id)
      output.append(bytes: format.endsIDsWithNUL ? [0] : separator)
    }
    if format.showsNumbers, let number = shown.line.number {
      output.append(number + lineNumber, as: .lineNumber)
      output.append(bytes: separator)
    }
    if format.showsColumn, let column {
      output.append(column + 1, as: .column)
      output.append(bytes: separator)
    }
    if format.showsOffset {
      output.append(shown.line.range.lowerBound + offset, as: .column)
      output.append(bytes: separator)
    }
  }

  /// Prints a line.
  ///
  /// - Parameter matches: the matches in the line, possibly followed by matches in later lines.
  private mutating func showLine(_ shown: GrepDisplayLine, _ range: Range<Int>, _ matches: ArraySlice<Range<Int>>) {
    // As in ripgrep, a line break counts, except after replacements on single lines.
    let isReplaced = format.replacement != nil && !shown.matches.isEmpty
    let count = isReplaced && !spansLines ? shown.content(of: range).count : range.count
    if isTooLong(count) { return showExcess(shown, range, matches) }
    showColored(shown, content(shown, range), matches)
    output.append(UInt8(ascii: "\n"))
  }

  private func isTooLong(_ count: Int) -> Bool { format.maximumColumns.map { count > $0 } ?? false }

  /// Returns the range of a line without its line break, and without leading white space if ``GrepFormat/trims`` is
  /// set.
  func content(_ shown: GrepDisplayLine, _ range: Range<Int>) -> Range<Int> {
    let range = shown.content(of: range)
    guard format.trims else { return range }
    let start = shown.bytes[range].firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? range.upperBound
    return start..<range.upperBound
  }

  mutating func showColored(_ shown: GrepDisplayLine, _ range: Range<Int>, _ matches: ArraySlice<Range<Int>>) {
    let bytes = shown.bytes
    guard output.isColored else { return output.append(text: bytes[range]) }
    var offset = range.lowerBound
    var index = matches.startIndex
    while index < matches.endIndex, matches[index].lowerBound < range.upperBound {
      var part = matches[index].clamped(to: offset..<range.upperBound)
      index += 1
      // Adjacent matches are coloured as one.
      while index < matches.endIndex, matches[index].lowerBound == part.upperBound {
        part = part.lowerBound..<min(matches[index].upperBound, range.upperBound)
        index += 1
      }
      guard !part.isEmpty else { continue }
      output.append(text: bytes[offset..<part.lowerBound])
      output.append(bytes[part], as: .match)
      offset = part.upperBound
    }
    output.append(text: bytes[offset..<range.upperBound])
  }
}
