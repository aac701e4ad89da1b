import QueryModel
import TextAnalysis

/// A phrase of a query with its terms, as a group of columns has them.
struct AnalyzedPhrase {
  let terms: [QueryTerm]
  let compiled: CompiledPhrase
  let isStopWord: Bool
  let isFunctionWord: Bool
  /// A bare word without `*` and `^`: what synonyms apply to.
  let isPlainWord: Bool
  /// A phrase whose second quotation mark is missing.
  let isUnclosed: Bool
  /// The word as it was typed, where others close to it are wanted as well.
  let approximateWord: String?

  init(_ phrase: MatchPhrase, _ tokenizer: Tokenizer) {
    let terms = phrase.parts.enumerated().flatMap { number, part in
      tokenizer.queryTerms(part.text, prefix: part.isPrefix && number == phrase.parts.count - 1)
    }
    self.terms = terms
    compiled = CompiledPhrase(terms, isInitial: phrase.isInitial)
    let isWholeWord = phrase.isBareWord && !phrase.isPrefix && !phrase.isApproximate
    isStopWord = isWholeWord && terms.allSatisfy(\.isStopWord)
    isFunctionWord = isWholeWord && terms.allSatisfy(\.isFunctionWord)
    isPlainWord = phrase.isBareWord && !compiled.isPrefix && !phrase.isInitial && !phrase.isApproximate
    isUnclosed = phrase.parts.count == 1 && phrase.parts[0].isUnclosed
    approximateWord = phrase.isApproximate && terms.count == 1 ? phrase.parts[0].text : nil
  }

  /// The phrase, or nothing if it contains no word.
  var match: CompiledMatch { terms.isEmpty ? .nothing : .phrase(compiled) }
}

/// A phrase of a query as each of some groups of columns has it.
struct QueryItem {
  /// One for each group, in their order.
  let variants: [AnalyzedPhrase]

  var isEmpty: Bool { variants.allSatisfy(\.terms.isEmpty) }
  /// Where a word is one to be passed over in one group, the documents of that group need not have it.
  var isStopWord: Bool { variants.contains(where: \.isStopWord) }
  var isFunctionWord: Bool { variants.contains(where: \.isFunctionWord) }
  var isPlainWord: Bool { variants.allSatisfy(\.isPlainWord) }
  var isUnclosed: Bool { variants.contains(where: \.isUnclosed) }
  var approximateWord: String? { variants.lazy.compactMap(\.approximateWord).first }
}

extension CompiledPhrase {
  init(_ terms: [QueryTerm], isInitial: Bool = false) {
    positions = terms.map(\.forms)
    isPrefix = terms.last?.isPrefix ?? false
    self.isInitial = isInitial
  }
}
