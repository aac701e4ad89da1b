/// Selects the matches from which snippets are chosen while the text is analyzed. All matches are kept, except in long
/// texts with many matches.
///
/// The best windows are those with the rarest phrases (``SnippetWindows``), and windows with the same phrases differ
/// only in the number of matches. So of the windows with the same phrases, the first 20,000 are kept, with the matches
/// around them. If 100,000 matches are kept, only windows that are better than all before are added. Memory is
/// therefore independent of the length of the text, and a window that contains all words is found anywhere in it. The
/// first 1,000 matches of a document are kept in any case, so that windows need not be counted in most documents.
struct SnippetCandidates {
  /// The maximum number of windows with the same phrases.
  private let windowLimit: Int
  /// The number of matches after which only better windows are added.
  private let matchLimit: Int
  /// The length of a window in bytes.
  private var length: Int
  /// The idf of each phrase as an integer, by its number: as in ``SnippetWindows``, so that sums are exact.
  private let idfs: [Int]
  /// The number of occurrences of each phrase in the window.
  private var counts: [Int]
  /// The number of windows that are kept, by the key of their phrases.
  private var windows: [UInt64: Int] = [:]
  /// The sum of the keys of the phrases in the window.
  private var key: UInt64 = 0
  /// The sum of the idfs of the phrases in the window.
  private var weight = 0
  /// The weight of the best window that is kept.
  private var bestWeight = 0
  /// The number of matches that are kept in all columns.
  private var keptCount = 0
  /// The number of matches that are kept without counting windows.
  private let uncountedLimit: Int

  private var kept: [MatchCollector.Match] = []
  /// The matches of the window, which begins with the first of them; those before `windowStart` have left it.
  private var window: [MatchCollector.Match] = []
  private var windowStart = 0
  /// The matches before the window that are not kept, unless the next window is.
  private var before: [MatchCollector.Match] = []
  private var beforeStart = 0
  /// Matches of the current text that begin before this offset are kept.
  private var keptEnd = 0
  private var text = -1

  init(length: Int, idfs: [Int], windowLimit: Int = 20_000, matchLimit: Int = 100_000) {
    (self.length, self.windowLimit, self.matchLimit) = (length, windowLimit, matchLimit)
    self.idfs = idfs
    uncountedLimit = min(windowLimit / 20, matchLimit)
    counts = Array(repeating: 0, count: idfs.count)
  }

  /// Begins a document.
  mutating func beginDocument(length: Int) {
    endColumn { _ in }
    self.length = length
    windows.removeAll(keepingCapacity: true)
    (keptCount, bestWeight) = (0, 0)
  }

  /// Adds the next match in the order of the text.
  mutating func add(_ match: MatchCollector.Match) {
    // All are kept until the limit is reached, so their number is that of the matches before.
    if keptCount < uncountedLimit {
      keptCount += 1
      kept.append(match)
      return
    }
    if match.text != text {
      endText()
      text = match.text
    }
    while windowStart < window.count, match.mark.range.upperBound > windowEnd { removeFirst() }
    window.append(match)
    enter(match.mark.phrase)
  }

  /// Ends a column, and passes its matches to `body`.
  mutating func endColumn(_ body: ([MatchCollector.Match]) -> Void) {
    endText()
    text = -1
    body(kept)
    kept.removeAll(keepingCapacity: true)
  }

  private var windowEnd: Int {
    let first = window[windowStart].mark.range
    return max(first.lowerBound + length, first.upperBound)
  }

  private mutating func endText() {
    while windowStart < window.count { removeFirst() }
    window.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    (windowStart, beforeStart, keptEnd) = (0, 0, 0)
  }

  /// Decides whether the window is kept, and removes its first match.
  private mutating func removeFirst() {
    let first = window[windowStart]
    if isWanted {
      // A snippet also shows text before and after its window.
      keep(before[beforeStart...])
      before.removeAll(keepingCapacity: true)
      beforeStart = 0
      // The window contains its first match, even if that is longer.
      keptEnd = max(first.mark.range.lowerBound + 2 * length, first.mark.range.upperBound)
    }
    if first.mark.range.lowerBound < keptEnd {
      keep([first])
    } else {
      before.append(first)
      let start = first.mark.range.lowerBound - length
      while before[beforeStart].mark.range.lowerBound < start { beforeStart += 1 }
      SnippetCandidates.compact(&before, &beforeStart)
    }
    leave(first.mark.phrase)
    windowStart += 1
    SnippetCandidates.compact(&window, &windowStart)
  }

  private mutating func keep(_ matches: ArraySlice<MatchCollector.Match>) {
    kept += matches
    keptCount += matches.count
  }

  /// Whether the window is kept.
  private var isWanted: Bool {
    mutating get {
      let count = windows[key] ?? 0
      guard count < windowLimit, keptCount < matchLimit || weight > bestWeight else { return false }
      bestWeight = max(bestWeight, weight)
      windows[key] = count + 1
      return true
    }
  }

  private mutating func enter(_ phrase: Int) {
    counts[phrase] += 1
    guard counts[phrase] == 1 else { return }
    key &+= SnippetCandidates.key(of: phrase)
    weight += idfs[phrase]
  }

  private mutating func leave(_ phrase: Int) {
    counts[phrase] -= 1
    guard counts[phrase] == 0 else { return }
    key &-= SnippetCandidates.key(of: phrase)
    weight -= idfs[phrase]
  }

  /// Returns a number such that sums of different numbers are different with high probability: the output function of
  /// SplitMix64 (Steele, Lea and Flood, 2014).
  private static func key(of phrase: Int) -> UInt64 {
    var value = UInt64(truncatingIfNeeded: phrase + 1) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Removes the elements before `start` if they are more than half.
  private static func compact(_ list: inout [MatchCollector.Match], _ start: inout Int) {
    guard start >= 64, start * 2 > list.count else { return }
    list.removeFirst(start)
    start = 0
  }
}
