import QueryModel
import TextAnalysis

/// A phrase of a query, analyzed for one group of columns.
struct AnalyzedPhrase {
  let terms: [QueryTerm]
  let compiled: CompiledPhrase
  let isStopWord: Bool
  let isLanguageStopWord: Bool
  /// Whether the phrase is a bare word without `*`, `^` or `~`. Synonyms apply only to such words. A single
  /// ideograph is such a word, although it matches as a prefix.
  let isPlainWord: Bool
  /// Whether the closing quotation mark is missing.
  let isUnclosed: Bool
  /// The word as typed, if similar words also match.
  let fuzzyWord: String?

  init(_ phrase: MatchPhrase, _ tokenizer: Tokenizer) {
    // Analyzed together, because an identifier or a run of ideographs has more positions if a word follows.
    let text = phrase.parts.map(\.text).joined(separator: " ")
    let terms = tokenizer.queryTerms(text, prefix: phrase.isPrefix)
    self.terms = terms
    compiled = CompiledPhrase(terms, isInitial: phrase.isInitial)
    let isWholeWord = phrase.isBareWord && !phrase.isPrefix && !phrase.isFuzzy
    isStopWord = isWholeWord && terms.allSatisfy(\.isStopWord)
    isLanguageStopWord = isWholeWord && terms.allSatisfy(\.isLanguageStopWord)
    isPlainWord = isWholeWord && !phrase.isInitial
    isUnclosed = phrase.parts.count == 1 && phrase.parts[0].isUnclosed
    fuzzyWord = phrase.isFuzzy && terms.count == 1 ? phrase.parts[0].text : nil
  }

  /// The phrase as a match; `.nothing` if it contains no words.
  var match: CompiledMatch { terms.isEmpty ? .nothing : .phrase(compiled) }
}

/// A phrase of a query, analyzed for one or more groups of columns.
struct QueryItem {
  /// The analyzed forms, one per group, in the order of the groups.
  let variants: [AnalyzedPhrase]

  var isEmpty: Bool { variants.allSatisfy(\.terms.isEmpty) }
  /// True if the word is a stop word in any group: a document that matches in that group need not contain it.
  var isStopWord: Bool { variants.contains(where: \.isStopWord) }
  var isLanguageStopWord: Bool { variants.contains(where: \.isLanguageStopWord) }
  var isPlainWord: Bool { variants.allSatisfy(\.isPlainWord) }
  var isUnclosed: Bool { variants.contains(where: \.isUnclosed) }
  var fuzzyWord: String? { variants.lazy.compactMap(\.fuzzyWord).first }
}

extension CompiledPhrase {
  init(_ terms: [QueryTerm], isInitial: Bool = false) {
    positions = terms.map(\.forms)
    isPrefix = terms.last?.isPrefix ?? false
    self.isInitial = isInitial
  }
}
