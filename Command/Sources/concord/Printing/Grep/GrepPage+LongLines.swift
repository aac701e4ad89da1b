import Concordance

extension GrepPage {
  /// Replaces a line that is too long with a note, or prints the beginning of the line followed by a note.
  mutating func showExcess(_ shown: GrepDisplayLine, _ range: Range<Int>, _ matches: ArraySlice<Range<Int>>) {
    if format.showsPreview {
      let end = GrepPage.end(ofCharacters: format.maximumColumns ?? 0, shown.bytes, range)
      showColored(shown, content(shown, range.lowerBound..<end), matches)
      if shown.matches.isEmpty {
        output.append(" [... omitted end of long line]")
      } else {
        // Counts the matches of the whole line, even if only one match is shown. As in ripgrep, offsets are relative to
        // the beginning of the shown part.
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

  /// Returns the end of the first `count` grapheme clusters of a range.
  private static func end(ofCharacters count: Int, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    // Examines at most 64 bytes per cluster, because the line may be very long. Real clusters are shorter.
    let (limit, isHuge) = count.multipliedReportingOverflow(by: 64)
    let text = String(decoding: bytes[range].prefix(isHuge ? .max : limit), as: UTF8.self)
    return range.lowerBound + min(text.prefix(count).utf8.count, range.count)
  }
}
