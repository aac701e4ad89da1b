/// The synonym rules of an analyzer, in analyzed form.
public struct SynonymTable: Hashable, Sendable {
  /// The rules by the first term of the entry to match, with the longest entries first.
  private var rules: [String: [Rule]] = [:]

  private struct Rule: Hashable {
    var entry: [Word]
    var alternatives: [[QueryTerm]]
  }

  /// The key for comparing an entry with a query. Words are equal only if both or neither are prefixes. A single
  /// ideograph is a prefix in an entry as well as in a query.
  private struct Word: Hashable {
    var form: String
    var isPrefix: Bool

    init(_ term: QueryTerm) {
      form = term.forms.first ?? ""
      isPrefix = term.isPrefix
    }
  }

  /// The number of terms in the longest entry; 0 if there are no rules.
  public private(set) var longestEntry = 0

  /// Returns the synonyms of the longest entry that matches the terms from `index` on.
  ///
  /// ```swift
  /// // "ny, new york, big apple"
  /// let terms = tokenizer.queryTerms("new york hotels", prefix: false)
  /// analyzer.synonyms.expansions(at: 0, in: terms)  // length 2; alternatives: ny | big apple
  /// ```
  ///
  /// An alternative consists of the terms of one synonym, to be searched for as a phrase in place of the `length` terms
  /// from `index` on. Each of its terms has the range of the replaced terms. A term that the user typed as a prefix has
  /// no synonyms. The terms may come from several calls to ``Tokenizer/queryTerms(_:prefix:)``, one for each word.
  ///
  /// - Returns: `length` 0 and no alternatives if no entry matches.
  public func expansions(
    at index: Int, in terms: [QueryTerm]
  ) -> (length: Int, alternatives: [[QueryTerm]]) {
    guard terms.indices.contains(index) else { return (0, []) }
    let words = terms[index...].map(Word.init)
    guard let rule = rules[words[0].form]?.first(where: { words.starts(with: $0.entry) }) else {
      return (0, [])
    }
    let end = terms[index + rule.entry.count - 1].end
    return (rule.entry.count, rule.alternatives.map { alternativeTerms($0, from: terms[index].start, to: end) })
  }

  private func alternativeTerms(_ alternative: [QueryTerm], from start: Int, to end: Int) -> [QueryTerm] {
    alternative.map { term in
      var term = term
      term.start = start
      term.end = end
      return term
    }
  }
}

// MARK: - Compiling

extension SynonymTable {
  /// Compiles the rules.
  ///
  /// - Throws: ``AnalyzerError/invalidSynonymRule(_:reason:)`` if an entry contains no word.
  init(_ rules: [SynonymRule], analyzedBy tokenizer: Tokenizer) throws {
    for rule in rules {
      switch rule {
      case .group(let entries):
        let phrases = try entries.map { try Self.analyze($0, tokenizer) }
        for (index, entry) in entries.enumerated() {
          let others = phrases.enumerated().filter { $0.offset != index }.map(\.element)
          add(Self.words(of: entry, tokenizer), alternatives: others)
        }
      case .oneWay(let from, let to):
        let phrases = try to.map { try Self.analyze($0, tokenizer) }
        for entry in from {
          _ = try Self.analyze(entry, tokenizer)
          add(Self.words(of: entry, tokenizer), alternatives: phrases)
        }
      }
    }
  }

  /// Returns the terms of an entry, analyzed one word at a time, as the words of a query are.
  private static func words(of entry: String, _ tokenizer: Tokenizer) -> [Word] {
    entry.split(whereSeparator: \.isWhitespace)
      .flatMap { tokenizer.queryTerms(String($0), prefix: false).map(Word.init) }
  }

  /// Returns the terms of an entry, analyzed as a phrase.
  private static func analyze(_ entry: String, _ tokenizer: Tokenizer) throws -> [QueryTerm] {
    let terms = tokenizer.queryTerms(entry, prefix: false)
    guard !terms.isEmpty else {
      throw AnalyzerError.invalidSynonymRule(entry, reason: "the entry contains no word")
    }
    return terms
  }

  private mutating func add(_ entry: [Word], alternatives: [[QueryTerm]]) {
    guard let key = entry.first?.form else { return }
    longestEntry = max(longestEntry, entry.count)
    var sameStart = rules[key] ?? []
    if let known = sameStart.firstIndex(where: { $0.entry == entry }) {
      let new = alternatives.filter { !sameStart[known].alternatives.contains($0) }
      sameStart[known].alternatives += new
    } else {
      sameStart.append(Rule(entry: entry, alternatives: alternatives))
      sameStart.sort { $0.entry.count > $1.entry.count }
    }
    rules[key] = sameStart
  }
}
