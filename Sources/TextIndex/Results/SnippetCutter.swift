import DocumentStore

/// Chooses the snippets of a document that best show why it matches.
///
/// A snippet is a window over one string with about the requested length. The best window maximizes the sum of the idfs
/// of its distinct phrases (``SnippetWindows``). Ties are broken by the weight of the field, the number of matches, the
/// length of the string and the position, in this order. Phrases shown in one snippet do not count toward later
/// snippets, which are cut from the remaining text so that snippets do not overlap.
struct SnippetCutter {
  /// The approximate length of a snippet in bytes.
  let length: Int
  /// The idf of each phrase by its number; see ``SnippetWindows/integers(_:)``.
  let idfs: [Int]

  /// A byte range of a string that is shown.
  private struct Part {
    var text: Int
    var range: Range<Int>
  }

  /// Returns the best snippets of the given strings. If nothing matches, it returns the beginning of the longest
  /// string.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  /// - Complexity: O(s * m + n) in the numbers of snippets and matches, and the length of the texts.
  func cut(_ texts: [HighlightedText], count: Int) throws -> [Snippet] {
    var shown: [Part] = []
    /// The shown ranges by text, ascending.
    var ranges: [Int: [Range<Int>]] = [:]
    var windows = SnippetWindows(texts, length: length, idfs: idfs)
    let count = min(count, Highlighter.maximumSnippetCount)
    while shown.count < count, let best = windows.takeBest(excluding: ranges) {
      try LongCall.check()
      let marks = texts[best.text].marks[best.marks]
      guard let first = marks.first, let last = marks.last else { break }
      let known = ranges[best.text] ?? []
      let range = part(texts[best.text], first.range.lowerBound..<last.range.upperBound, known)
      shown.append(Part(text: best.text, range: range))
      if shown.count < count { ranges[best.text] = (known + [range]).sorted { $0.lowerBound < $1.lowerBound } }
    }
    if shown.isEmpty, let longest = texts.indices.max(by: { texts[$0].bytes.count < texts[$1].bytes.count }) {
      guard !texts[longest].bytes.isEmpty else { return [] }
      shown = [Part(text: longest, range: part(texts[longest], 0..<0, []))]
    }
    if shown.count > 1 { shown.sort { ($0.text, $0.range.lowerBound) < ($1.text, $1.range.lowerBound) } }
    return try snippets(shown, of: texts)
  }

  /// Returns the snippets of some parts, which are in the order of the texts, so that the lines of a text are counted
  /// once.
  private func snippets(_ parts: [Part], of texts: [HighlightedText]) throws -> [Snippet] {
    var snippets: [Snippet] = []
    var lines = LineCounter([])
    var counted = -1
    for part in parts {
      try LongCall.check()
      let text = texts[part.text]
      if part.text != counted { lines = LineCounter(text.bytes) }
      counted = part.text
      snippets.append(snippet(text, part.range, &lines))
    }
    return snippets
  }

  /// Returns the range to show around a window. It begins and ends between words and does not overlap ranges that are
  /// already shown.
  private func part(_ text: HighlightedText, _ range: Range<Int>, _ shown: [Range<Int>]) -> Range<Int> {
    let bytes = text.bytes
    let first = shown.last { $0.upperBound <= range.lowerBound }?.upperBound ?? 0
    let last = shown.first { $0.lowerBound >= range.upperBound }?.lowerBound ?? bytes.count
    let spare = max(0, length - range.count)
    var start = max(first, range.lowerBound - spare / 3)
    var end = min(last, max(range.upperBound, start + length))
    start = max(first, min(start, end - length))
    if start > first { start = wordStart(bytes, from: start, in: first...min(range.lowerBound, bytes.count)) }
    if end < last { end = wordEnd(bytes, from: end, in: max(range.upperBound, start)...last) }
    return start..<end
  }

  private func snippet(_ text: HighlightedText, _ range: Range<Int>, _ lines: inout LineCounter) -> Snippet {
    let first = text.marks.partitionPoint { $0.range.lowerBound >= range.lowerBound }
    let end = text.marks[first...].firstIndex { $0.range.upperBound > range.upperBound } ?? text.marks.endIndex
    let marks = text.marks[first..<end].map(\.range)
    let folded = FoldedText(text.bytes, range, marks: marks)
    return Snippet(
      path: text.path, text: String(decoding: folded.bytes, as: UTF8.self), matches: folded.marks,
      line: lines.line(at: marks.first?.lowerBound ?? range.lowerBound),
      continuesBefore: text.bytes[..<range.lowerBound].contains { !isSpace($0) },
      continuesAfter: text.bytes[range.upperBound...].contains { !isSpace($0) })
  }

  /// The maximum number of bytes by which a snippet is extended to show the whole word that contains a match.
  private static let maximumExtension = 32

  /// Returns the start of a word at or after an offset. If no word starts in the rest of the limits, returns the start
  /// of the word at the offset, or the start of the next character if the word is long.
  private func wordStart(_ bytes: [UInt8], from offset: Int, in limits: ClosedRange<Int>) -> Int {
    guard offset > 0 else { return 0 }
    let limit = limits.upperBound
    var index = offset
    while index < limit, !isSpace(bytes[index - 1]) { index += 1 }
    if index < limit || isSpace(bytes[index - 1]) { return index }
    index = offset
    let reach = max(limits.lowerBound, offset - SnippetCutter.maximumExtension)
    while index > reach, !isSpace(bytes[index - 1]) { index -= 1 }
    if index == limits.lowerBound || isSpace(bytes[index - 1]) { return index }
    index = offset
    while index < limit, GraphemeBoundary.isContinuation(bytes[index]) { index += 1 }
    return GraphemeBoundary.first(in: bytes, from: index, limit: limit)
  }

  /// Returns the end of a word at or before an offset. If no word ends in the rest of the limits, returns the end of
  /// the word at the offset, or the end of the previous character if the word is long.
  private func wordEnd(_ bytes: [UInt8], from offset: Int, in limits: ClosedRange<Int>) -> Int {
    guard offset < bytes.count else { return bytes.count }
    let limit = limits.lowerBound
    var index = offset
    while index > limit, !isSpace(bytes[index]) { index -= 1 }
    if index > limit || isSpace(bytes[index]) { return index }
    index = offset
    let reach = min(limits.upperBound, offset + SnippetCutter.maximumExtension)
    while index < reach, !isSpace(bytes[index]) { index += 1 }
    if index == limits.upperBound || isSpace(bytes[index]) { return index }
    index = offset
    while index > limit, GraphemeBoundary.isContinuation(bytes[index]) { index -= 1 }
    let boundary = GraphemeBoundary.last(in: bytes, from: index, limit: limit)
    // A snippet without a match is not empty, even if it is shorter than the first grapheme.
    return boundary > 0 ? boundary : index
  }
}

@inline(__always)
private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Text in which each run of white space is one space, with the marks adjusted.
private struct FoldedText {
  private(set) var bytes: [UInt8] = []
  private(set) var marks: [Range<Int>] = []

  /// - Parameters:
  ///   - range: the part of the source.
  ///   - sourceMarks: ranges in this part that neither begin nor end with white space, ascending and without overlaps.
  init(_ source: [UInt8], _ range: Range<Int>, marks sourceMarks: [Range<Int>]) {
    marks.reserveCapacity(sourceMarks.count)
    bytes = source.withUnsafeBufferPointer { source in
      Array(unsafeUninitializedCapacity: range.count) { folded, count in
        var position = range.lowerBound
        for mark in sourceMarks where mark.lowerBound >= position {
          FoldedText.copy(source[position..<mark.lowerBound], to: folded, &count)
          let start = count
          FoldedText.copy(source[mark], to: folded, &count)
          marks.append(start..<count)
          position = mark.upperBound
        }
        FoldedText.copy(source[position..<range.upperBound], to: folded, &count)
        if count > 0, folded[count - 1] == 0x20 { count -= 1 }
      }
    }
  }

  /// Appends text to the first `count` bytes of a buffer, which has enough space.
  @inline(__always)
  private static func copy(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, to folded: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) {
    var last = count > 0 ? folded[count - 1] : 0x20
    for byte in UnsafeBufferPointer(rebasing: text) {
      let shown = isSpace(byte) ? 0x20 : byte
      if shown == 0x20, last == 0x20 { continue }
      folded[count] = shown
      count += 1
      last = shown
    }
  }
}
