/// Chooses the parts of a document that show best why it matches.
///
/// A part is a window over one text, as long as asked for. The best holds the most different phrases of the query, then
/// stands in the weightiest field, then holds the most matches, then stands in the longest text, then comes first; the
/// next best must not overlap it.
struct SnippetCutter {
  /// About how long a snippet is, in bytes.
  let length: Int

  private struct Window {
    var text: Int
    var range: Range<Int>
    var phrases: Set<Int>
    var markCount: Int
  }

  /// The best snippets of some texts. Without a match, the beginning of the longest text.
  func cut(_ texts: [HighlightedText], count: Int) -> [Snippet] {
    var windows = texts.indices.flatMap { candidates(in: texts[$0], number: $0) }
    var chosen: [Window] = []
    var covered = Set<Int>()
    while chosen.count < count, let best = windows.max(by: { isWorse($0, $1, covered, texts) }) {
      chosen.append(best)
      covered.formUnion(best.phrases)
      windows.removeAll { $0.text == best.text && $0.range.overlaps(best.range) }
    }
    if chosen.isEmpty, let longest = texts.indices.max(by: { texts[$0].bytes.count < texts[$1].bytes.count }) {
      guard !texts[longest].bytes.isEmpty else { return [] }
      chosen = [Window(text: longest, range: 0..<0, phrases: [], markCount: 0)]
    }
    return chosen.sorted { ($0.text, $0.range.lowerBound) < ($1.text, $1.range.lowerBound) }
      .map { snippet(texts[$0.text], around: $0.range) }
  }

  /// For each match the window that begins with it.
  private func candidates(in text: HighlightedText, number: Int) -> [Window] {
    var windows: [Window] = []
    for (first, mark) in text.marks.enumerated() {
      let inside = text.marks[first...].prefix {
        $0.range.upperBound <= max(mark.range.lowerBound + length, mark.range.upperBound)
      }
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
      [
        window.phrases.subtracting(covered).count, window.phrases.count,
      ].map(Double.init) + [texts[window.text].weight]
        + [
          window.markCount, texts[window.text].bytes.count, -window.text, -window.range.lowerBound,
        ].map(Double.init)
    }
    return rank(one).lexicographicallyPrecedes(rank(other))
  }

  /// The text around a window, cut between words.
  private func snippet(_ text: HighlightedText, around window: Range<Int>) -> Snippet {
    let bytes = text.bytes
    let spare = max(0, length - window.count)
    var start = max(0, window.lowerBound - spare / 3)
    var end = min(bytes.count, max(window.upperBound, start + length))
    start = max(0, min(start, end - length))
    start = wordStart(bytes, from: start, upTo: min(window.lowerBound, bytes.count))
    end = wordEnd(bytes, from: end, downTo: max(window.upperBound, start))
    var folded = FoldedText()
    folded.append(
      bytes, start..<end, marks: text.marks.map(\.range).filter { $0.lowerBound >= start && $0.upperBound <= end })
    return Snippet(
      path: text.path, text: String(decoding: folded.bytes, as: UTF8.self), matches: folded.marks,
      continuesBefore: bytes[..<start].contains { !isSpace($0) },
      continuesAfter: bytes[end...].contains { !isSpace($0) })
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
