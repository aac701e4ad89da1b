/// Finds the phrases of a query in the terms of one column.
struct PhraseFinder {
  /// An occurrence of a phrase.
  struct Occurrence: Hashable {
    /// The number of the phrase in the query.
    var phrase: Int
    /// The positions in the column.
    var positions: Range<Int>
    /// The byte range of the words. No phrase spans two strings, because the position between them has no term.
    var textRange: PositionedTerms.TextRange
  }

  private let groups: [PhraseGroup]
  private let firstPhrase: [Int]

  /// - Parameter groups: the phrases to find; they are numbered across all groups.
  init(_ groups: [PhraseGroup]) {
    self.groups = groups
    var number = 0
    firstPhrase = groups.map { group in
      defer { number += group.phrases.count }
      return number
    }
  }

  /// The number of positions within which an occurrence of a group of phrases lies.
  var span: Int {
    groups.reduce(0) { span, group in
      let length = group.phrases.map(\.positions.count).max() ?? 0
      let distance = group.phrases.count == 1 ? 0 : min(max(group.distance, 0), NearSweep.maximumDistance)
      return max(span, 2 * length + distance)
    }
  }

  /// Returns all occurrences in the order of their positions.
  ///
  /// - Complexity: O(n + p + k log k) in the numbers of terms, of phrases, and of occurrences of the phrases' first
  ///   words.
  func occurrences(in terms: PositionedTerms) -> [Occurrence] {
    if terms.count == 0 { return [] }
    var found: [Occurrence] = []
    var terms = TermPositionIndex(terms)
    if groups.count == 1, groups[0].phrases.count == 1 { return find(groups[0].phrases[0], numbered: 0, in: &terms) }
    for (number, group) in groups.enumerated() {
      let occurrences = group.phrases.enumerated().map { offset, phrase in
        find(phrase, numbered: firstPhrase[number] + offset, in: &terms)
      }
      found += group.phrases.count == 1 ? occurrences[0] : PhraseFinder.near(occurrences, group)
    }
    return found.sorted { ($0.positions.lowerBound, $0.phrase) < ($1.positions.lowerBound, $1.phrase) }
  }

  private func find(
    _ phrase: CompiledPhrase, numbered number: Int, in terms: inout TermPositionIndex
  ) -> [Occurrence] {
    guard let first = phrase.positions.first else { return [] }
    let length = phrase.positions.count
    return terms.entries(of: first, isPrefix: phrase.isPrefix && length == 1).compactMap { entry in
      let start = entry.position
      guard !phrase.isInitial || start == 0 else { return nil }
      var textRange = entry.textRange
      for offset in 1..<max(length, 1) {
        let isPrefix = phrase.isPrefix && offset == length - 1
        guard let next = terms.entry(of: phrase.positions[offset], at: start + offset, isPrefix: isPrefix) else {
          return nil
        }
        textRange.range = textRange.range.lowerBound..<next.textRange.range.upperBound
      }
      return Occurrence(phrase: number, positions: start..<(start + length), textRange: textRange)
    }
  }

  /// Returns the occurrences that are within `distance` positions of all other phrases, as defined by ``NearSweep``.
  private static func near(_ occurrences: [[Occurrence]], _ group: PhraseGroup) -> [Occurrence] {
    var sweep = NearSweep(group.phrases.map(\.positions.count), distance: group.distance)
    for phrase in occurrences {
      for occurrence in phrase { sweep.append(UInt64(occurrence.positions.lowerBound)) }
      sweep.endPhrase()
    }
    var kept: [Occurrence] = []
    sweep.forEachNear { phrase, number, _ in kept.append(occurrences[phrase][number]) }
    return kept
  }
}
