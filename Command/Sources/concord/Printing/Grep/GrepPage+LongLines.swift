import Concordance

extension GrepPage {
  /// In place of a line that is too long: a note, or its beginning and a note.
  mutating func showExcess(_ shown: GrepShownLine, _ range: Range<Int>, _ matches: ArraySlice<Range<Int>>) {
    if format.showsPreview {
      let end = GrepPage.end(ofCharacters: format.maximumColumns ?? 0, shown.bytes, range)
      showColored(shown, content(shown, range.lowerBound..<end), matches)
      if shown.matches.isEmpty {
        output.append(" [... omitted end of long line]")
      } else {
        // Those of the whole line, also where one match is shown. As in ripgrep, places count from the beginning of what is shown.
        let start = format.onlyMatching ? range.lowerBound : 0
        let hidden = end - start..<range.upperBound - start
        let rest = shown.matches.count(where: { hidden.contains($0.lowerBound) })
        output.append(" [... \(rest) more \(rest == 1 ? "match" : "matches")]")
      }
    } else if shown.matches.isEmpty || format.onlyMatching {
      output.append(shown.line.kind == .match ? "[Omitted long matching line]" : "[Omitted long context line]")
    } else {
      output.append("[Omitted long line with \(shown.matches.count) matches]")
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// Where the first characters of a range end, as people see characters.
  private static func end(ofCharacters count: Int, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    // A character takes a byte at least, and 64 for the worst that is no attack; more than that is not looked at.
    let (limit, isHuge) = count.multipliedReportingOverflow(by: 64)
    let text = String(decoding: bytes[range].prefix(isHuge ? .max : limit), as: UTF8.self)
    return range.lowerBound + min(text.prefix(count).utf8.count, range.count)
  }
}
