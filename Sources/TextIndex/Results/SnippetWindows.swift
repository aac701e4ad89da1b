/// The candidate windows for snippets: each begins at a match and has the requested length.
///
/// All windows are evaluated again for each snippet, because ranges that are already shown change their scores and may
/// shorten them. While a window slides over a string, only the matches that enter or leave it are counted.
struct SnippetWindows {
  struct Window {
    /// The index of the text.
    var text: Int
    /// The indexes of the matches in the window.
    var marks: Range<Int>
    /// The sum of the idfs of its phrases that no earlier window shows, and of all its phrases.
    fileprivate var weight: (unseen: Int, all: Int)
  }

  private let texts: [HighlightedText]
  private let length: Int
  /// The idf of each phrase; see ``integers(_:)``.
  private let idfs: [Int]
  /// A copy of ``idfs``, with 0 for phrases that are already shown.
  private var unseen: [Int]
  /// The number of occurrences of each phrase in the current window.
  private var counts: [Int]

  private static let unit = Double(1 << 32)

  /// Returns idfs as integers: integer sums do not depend on the order, so equal sets have equal sums.
  static func integers(_ idfs: [Double]) -> [Int] { idfs.map { Int($0 * unit) } }

  /// - Parameters:
  ///   - texts: the strings, each with its marks in order.
  ///   - length: the length of a window in bytes. A single match may be longer.
  ///   - idfs: the idf of each phrase by its number; see ``integers(_:)``.
  init(_ texts: [HighlightedText], length: Int, idfs: [Int]) {
    self.texts = texts
    self.length = length
    self.idfs = idfs
    unseen = idfs
    counts = Array(repeating: 0, count: idfs.count)
  }

  /// Removes and returns the best window. Afterwards, its phrases are considered shown.
  ///
  /// - Parameter shown: the byte ranges of each text that are already shown, ascending. No window overlaps them.
  /// - Returns: nil if no match remains.
  /// - Complexity: O(m) in the number of matches.
  mutating func takeBest(excluding shown: [Int: [Range<Int>]]) -> Window? {
    var best: Window?
    for number in texts.indices { slide(over: number, excluding: shown[number] ?? [], &best) }
    guard let best else { return nil }
    for mark in texts[best.text].marks[best.marks] { unseen[mark.phrase] = 0 }
    return best
  }

  private mutating func slide(over number: Int, excluding shown: [Range<Int>], _ best: inout Window?) {
    let marks = texts[number].marks
    var weight = (unseen: 0, all: 0)
    var end = 0
    var next = 0
    for (first, mark) in marks.enumerated() {
      while next < shown.count, shown[next].upperBound <= mark.range.lowerBound { next += 1 }
      let limit = next < shown.count ? shown[next].lowerBound : Int.max
      if limit >= mark.range.upperBound {
        let reach = min(limit, max(mark.range.lowerBound + length, mark.range.upperBound))
        while end < marks.count, marks[end].range.upperBound <= reach {
          enter(marks[end].phrase, &weight)
          end += 1
        }
        let window = Window(text: number, marks: first..<end, weight: weight)
        // Of several equal windows, the first is chosen.
        if best.map({ isWorse($0, window) }) ?? true { best = window }
      }
      if end > first { leave(mark.phrase, &weight) } else { end = first + 1 }
    }
  }

  private mutating func enter(_ phrase: Int, _ weight: inout (unseen: Int, all: Int)) {
    counts[phrase] += 1
    guard counts[phrase] == 1 else { return }
    weight.unseen += unseen[phrase]
    weight.all += idfs[phrase]
  }

  private mutating func leave(_ phrase: Int, _ weight: inout (unseen: Int, all: Int)) {
    counts[phrase] -= 1
    guard counts[phrase] == 0 else { return }
    weight.unseen -= unseen[phrase]
    weight.all -= idfs[phrase]
  }

  private func isWorse(_ one: Window, _ other: Window) -> Bool {
    if one.weight != other.weight { return one.weight < other.weight }
    if one.text == other.text { return one.marks.count < other.marks.count }
    return (texts[one.text].weight, one.marks.count, texts[one.text].bytes.count) < (
      texts[other.text].weight, other.marks.count, texts[other.text].bytes.count
    )
  }
}
