import TextAnalysis

/// The phrases of a query in one column of its index.
///
/// A class, because the highlighter uses it for each string of each document, and copying it would count many
/// references.
final class ColumnPhrases {
  let weight: Double
  /// Finds the phrases if each of them is a single word.
  let words: WordStream?
  /// Finds the phrases otherwise; nil if ``words`` finds them.
  let stream: PhraseStream?
  /// Finds the parts of a text that can contain the phrases; nil if the text has to be read as a whole.
  let regions: TermRegions?
  /// The numbers of the phrases in the query.
  let numbers: [Int]

  var isEmpty: Bool { numbers.isEmpty }

  private init(_ groups: [PhraseGroup], weight: Double, _ phrases: inout PhraseNumbers) {
    self.weight = weight
    words = WordStream(groups)
    stream = words == nil ? PhraseStream(PhraseFinder(groups), TermFilter(groups)) : nil
    regions = ColumnPhrases.makeRegions(groups)
    numbers = groups.flatMap(\.counted).map { phrases.number(of: $0) }
  }

  /// Creates the phrases of a column that has the same ones as another column.
  private init(_ other: ColumnPhrases, weight: Double) {
    self.weight = weight
    (words, stream, regions, numbers) = (other.words, other.stream, other.regions, other.numbers)
  }

  /// Returns the phrases for each column of a query's index.
  static func of(
    _ query: FullTextQuery, _ weights: [String: Double], _ phrases: inout PhraseNumbers
  ) -> [ColumnPhrases] {
    let fields = query.index.definition.fields
    var groups: [[PhraseGroup]] = fields.map { _ in [] }
    var areSame = true
    query.match.forEachPositivePhrase(columns: Set(fields.indices)) { group, columns in
      if columns.count < fields.count { areSame = false }
      for column in columns { groups[column].append(group) }
    }
    var first: ColumnPhrases?
    return zip(fields, groups).map { field, groups in
      let weight = weights[field.name] ?? 1
      if areSame, let first { return ColumnPhrases(first, weight: weight) }
      let phrases = ColumnPhrases(groups, weight: weight, &phrases)
      first = first ?? phrases
      return phrases
    }
  }

  /// Phrases near each other and phrases at the beginning of a field depend on the positions of all words.
  private static func makeRegions(_ groups: [PhraseGroup]) -> TermRegions? {
    let phrases = groups.flatMap(\.phrases)
    guard groups.allSatisfy({ $0.phrases.count == 1 }), phrases.allSatisfy({ !$0.isInitial }) else { return nil }
    return TermRegions(
      of: phrases.flatMap { $0.positions.first ?? [] }.map { Array($0.utf8) },
      followingWords: phrases.map { $0.positions.count - 1 }.max() ?? 0)
  }
}

/// The phrases of a query, numbered across all fields. Fields may have different phrases.
struct PhraseNumbers {
  private(set) var all: [CompiledPhrase] = []
  private var numbers: [CompiledPhrase: Int] = [:]

  mutating func number(of phrase: CompiledPhrase) -> Int {
    if let known = numbers[phrase] { return known }
    numbers[phrase] = all.count
    all.append(phrase)
    return all.count - 1
  }
}
