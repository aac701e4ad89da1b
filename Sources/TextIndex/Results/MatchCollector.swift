/// Collects the matches of a document in the order of its text: the first ones, and those from which snippets are
/// chosen. Of two matches that overlap, the longer one is kept.
struct MatchCollector {
  /// A match in one of the strings of the current column.
  struct Match {
    var text: Int
    var mark: HighlightedText.Mark
  }

  /// The maximum number of matches of a document that are returned. A document of 50 MiB may have millions.
  static let maximumCount = 10_000
  /// Greater than the length of a word: the parts of an identifier may be found before the identifier.
  private static let wordLength = 1024

  /// The number of matches that wait at least.
  private static let waitingCount = 4096

  private var remaining = MatchCollector.maximumCount
  /// The first matches of the column.
  private var matches: [Match] = []
  private var candidates: SnippetCandidates
  private var hasSnippets = false
  private var waiting: [Match] = []
  /// The last match, which a longer one may replace.
  private var last: Match?

  /// - Parameter idfs: the idf of each phrase by its number; see ``SnippetWindows/integers(_:)``.
  init(idfs: [Int]) { candidates = SnippetCandidates(length: 0, idfs: idfs) }

  /// Begins a document, and keeps the memory of the last one.
  ///
  /// - Parameter snippetLength: nil if there are no snippets.
  mutating func beginDocument(snippetLength: Int?) {
    remaining = MatchCollector.maximumCount
    hasSnippets = snippetLength != nil
    matches.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    last = nil
    candidates.beginDocument(length: snippetLength ?? 0)
  }

  /// Adds a match. Matches are added in the order of their positions.
  mutating func add(_ match: Match) { waiting.append(match) }

  /// Processes the matches that no later match can precede.
  mutating func flush() {
    guard waiting.count >= MatchCollector.waitingCount, let end = waiting.last else { return }
    process { ($0.text, $0.mark.range.lowerBound + MatchCollector.wordLength) < (end.text, end.mark.range.lowerBound) }
  }

  /// Ends a column.
  ///
  /// - Parameters:
  ///   - addMatches: receives its first matches.
  ///   - addCandidates: receives those from which snippets are chosen.
  mutating func endColumn(_ addMatches: ([Match]) -> Void, _ addCandidates: ([Match]) -> Void) {
    process { _ in true }
    emitLast()
    addMatches(matches)
    matches.removeAll(keepingCapacity: true)
    candidates.endColumn(addCandidates)
  }

  private mutating func process(while isReady: (Match) -> Bool) {
    // They are nearly always in order.
    for index in waiting.indices.dropFirst() where MatchCollector.precedes(waiting[index], waiting[index - 1]) {
      waiting.sort(by: MatchCollector.precedes)
      break
    }
    var count = 0
    while count < waiting.count, isReady(waiting[count]) {
      let match = waiting[count]
      count += 1
      if let last, last.text == match.text, match.mark.range.lowerBound < last.mark.range.upperBound {
        if match.mark.range.count > last.mark.range.count { self.last = match }
      } else {
        emitLast()
        last = match
      }
    }
    waiting.removeFirst(count)
  }

  private static func precedes(_ one: Match, _ other: Match) -> Bool {
    (one.text, one.mark.range.lowerBound) < (other.text, other.mark.range.lowerBound)
  }

  private mutating func emitLast() {
    guard let match = last else { return }
    last = nil
    if remaining > 0 {
      remaining -= 1
      matches.append(match)
    }
    if hasSnippets { candidates.add(match) }
  }
}
