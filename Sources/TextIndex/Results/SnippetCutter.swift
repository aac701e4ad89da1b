/// Chooses the parts of a document that show best why it matches.
///
/// A part is a window over one text, as long as asked for. The best covers the most of the query: the sum of the rarities of the
/// different phrases in it is the largest. Then the best stands in the weightiest field, then holds the most matches, then
/// stands in the longest text, then comes first. Of the next best what counts first is the phrases that no part before it shows;
/// it is cut from what these leave of the text, so that no two parts overlap.
struct SnippetCutter {
  /// About how long a snippet is, in bytes.
  let length: Int
  /// How rare each phrase is, by its number in the marks.
  let rarities: [Double]

  private struct Window {
    var text: Int
    var range: Range<Int>
    var phrases: Set<Int>
    var markCount: Int
  }

  /// Bytes of a text that are shown.
  private struct Part {
    var text: Int
    var range: Range<Int>
  }

  /// The best snippets of some texts. Without a match, the beginning of the longest text.
  func cut(_ texts: [HighlightedText], count: Int) -> [Snippet] {
    var shown: [Part] = []
    var covered = Set<Int>()
    while shown.count < count {
      let windows = texts.indices.flatMap { number in
        candidates(in: texts[number], number: number, shown.filter { $0.text == number }.map(\.range))
      }
      guard let best = windows.max(by: { isWorse($0, $1, covered, texts) }) else { break }
      covered.formUnion(best.phrases)
      shown.append(part(texts[best.text], best, shown.filter { $0.text == best.text }.map(\.range)))
    }
    if shown.isEmpty, let longest = texts.indices.max(by: { texts[$0].bytes.count < texts[$1].bytes.count }) {
      guard !texts[longest].bytes.isEmpty else { return [] }
      let start = Window(text: longest, range: 0..<0, phrases: [], markCount: 0)
      shown = [part(texts[longest], start, [])]
    }
    return shown.sorted { ($0.text, $0.range.lowerBound) < ($1.text, $1.range.lowerBound) }
      .map { snippet(texts[$0.text], $0.range) }
  }

  /// For each match that is not shown yet the window that begins with it and ends before what is shown.
  private func candidates(in text: HighlightedText, number: Int, _ shown: [Range<Int>]) -> [Window] {
    var windows: [Window] = []
    for (first, mark) in text.marks.enumerated() where !shown.contains(where: { $0.overlaps(mark.range) }) {
      let limit = shown.map(\.lowerBound).filter { $0 >= mark.range.upperBound }.min() ?? Int.max
      let end = min(limit, max(mark.range.lowerBound + length, mark.range.upperBound))
      let inside = text.marks[first...].prefix { $0.range.upperBound <= end }
      guard let last = inside.last else { continue }
      windows.append(
        Window(
          text: number, range: mark.range.lowerBound..<last.range.upperBound, phrases: Set(inside.map(\.phrase)),
          markCount: inside.count))
    }
    return windows
  }

  private func isWorse(
    _ one: Window, _ other: Window, _ covered: Set<Int>, _ texts: [HighlightedText]
  ) -> Bool {
    func rank(_ window: Window) -> [Double] {
      [coverage(window.phrases.subtracting(covered)), coverage(window.phrases), texts[window.text].weight]
        + [
          window.markCount, texts[window.text].bytes.count, -window.text, -window.range.lowerBound,
        ].map(Double.init)
    }
    return rank(one).lexicographicallyPrecedes(rank(other))
  }

  /// Summed in order, so that equal sets have equal sums to the last digit.
  private func coverage(_ phrases: Set<Int>) -> Double { phrases.sorted().reduce(0) { $0 + rarities[$1] } }

  /// What is shown around a window: cut between words, and where the parts that are shown already leave room.
  private func part(_ text: HighlightedText, _ window: Window, _ shown: [Range<Int>]) -> Part {
    let bytes = text.bytes
    let range = window.range
    let first = shown.map(\.upperBound).filter { $0 <= range.lowerBound }.max() ?? 0
    let last = shown.map(\.lowerBound).filter { $0 >= range.upperBound }.min() ?? bytes.count
    let spare = max(0, length - range.count)
    var start = max(first, range.lowerBound - spare / 3)
    var end = min(last, max(range.upperBound, start + length))
    start = max(first, min(start, end - length))
    if start > first { start = wordStart(bytes, from: start, upTo: min(range.lowerBound, bytes.count)) }
    if end < last { end = wordEnd(bytes, from: end, downTo: max(range.upperBound, start)) }
    return Part(text: window.text, range: start..<end)
  }

  private func snippet(_ text: HighlightedText, _ range: Range<Int>) -> Snippet {
    var folded = FoldedText()
    folded.append(
      text.bytes, range,
      marks: text.marks.map(\.range).filter { $0.lowerBound >= range.lowerBound && $0.upperBound <= range.upperBound })
    return Snippet(
      path: text.path, text: String(decoding: folded.bytes, as: UTF8.self), matches: folded.marks,
      continuesBefore: text.bytes[..<range.lowerBound].contains { !isSpace($0) },
      continuesAfter: text.bytes[range.upperBound...].contains { !isSpace($0) })
  }

  /// The start of a word at or behind an offset; where there is none before the limit, the next character.
  private func wordStart(_ bytes: [UInt8], from offset: Int, upTo limit: Int) -> Int {
    guard offset > 0 else { return 0 }
    var index = offset
    while index < limit, !isSpace(bytes[index - 1]) { index += 1 }
    if index < limit || isSpace(bytes[index - 1]) { return index }
    index = offset
    while index < limit, isContinuation(bytes[index]) { index += 1 }
    return index
  }

  private func wordEnd(_ bytes: [UInt8], from offset: Int, downTo limit: Int) -> Int {
    guard offset < bytes.count else { return bytes.count }
    var index = offset
    while index > limit, !isSpace(bytes[index]) { index -= 1 }
    if index > limit || isSpace(bytes[index]) { return index }
    index = offset
    while index > limit, isContinuation(bytes[index]) { index -= 1 }
    return index
  }

  private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Text in which each run of white space is one space, with marks that moved along.
private struct FoldedText {
  var bytes: [UInt8] = []
  var marks: [Range<Int>] = []

  mutating func append(_ source: [UInt8], _ range: Range<Int>, marks sourceMarks: [Range<Int>]) {
    var pending = sourceMarks[...]
    var markStart = 0
    for index in range {
      if let mark = pending.first, index == mark.upperBound { closeMark(from: markStart, &pending) }
      if isSpace(source[index]) {
        if let last = bytes.last, last != 0x20 { bytes.append(0x20) }
      } else {
        if let mark = pending.first, index == mark.lowerBound { markStart = bytes.count }
        bytes.append(source[index])
      }
    }
    if pending.first != nil { closeMark(from: markStart, &pending) }
    if bytes.last == 0x20 { bytes.removeLast() }
  }

  private mutating func closeMark(from start: Int, _ pending: inout ArraySlice<Range<Int>>) {
    marks.append(start..<bytes.count)
    pending.removeFirst()
  }
}
