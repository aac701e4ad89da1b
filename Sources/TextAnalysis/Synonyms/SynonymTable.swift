/// The synonym rules of an analyzer, in analysed form.
public struct SynonymTable: Hashable, Sendable {
  /// By the first term of the entry to find; the longest entries first.
  private var rules: [String: [Rule]] = [:]

  private struct Rule: Hashable {
    var terms: [String]
    var alternatives: [[QueryTerm]]
  }

  public var isEmpty: Bool { rules.isEmpty }

  /// The synonyms of the longest entry that the terms from `index` on begin with.
  ///
  /// ```swift
  /// // "ny, new york, big apple"
  /// let terms = tokenizer.queryTerms("new york hotels", prefix: false)
  /// analyzer.synonyms.expansions(at: 0, in: terms)  // length 2; alternatives: ny | big apple
  /// ```
  ///
  /// An alternative is the terms of one synonym, to be looked for as a phrase in place of the `length` terms
  /// from `index` on. Its ranges are those of the terms that it stands for. A term that the user typed as a
  /// prefix has no synonyms.
  ///
  /// - Returns: `length` 0 and no alternatives when no entry matches.
  public func expansions(at index: Int, in terms: [QueryTerm]) -> (length: Int, alternatives: [[QueryTerm]]) {
    guard terms.indices.contains(index), let key = terms[index].forms.first, let candidates = rules[key] else {
      return (0, [])
    }
    for rule in candidates where matches(rule, at: index, in: terms) {
      let last = terms[index + rule.terms.count - 1]
      return (rule.terms.count, rule.alternatives.map { place($0, from: terms[index].start, to: last.end) })
    }
    return (0, [])
  }

  private func matches(_ rule: Rule, at index: Int, in terms: [QueryTerm]) -> Bool {
    guard index + rule.terms.count <= terms.count else { return false }
    return zip(rule.terms, terms[index...]).allSatisfy { form, term in
      // One ideograph alone is a prefix without the user's asking.
      term.forms.first == form && (!term.isPrefix || form.unicodeScalars.count == 1)
    }
  }

  private func place(_ alternative: [QueryTerm], from start: Int, to end: Int) -> [QueryTerm] {
    alternative.map { term in
      var placed = term
      placed.start = start
      placed.end = end
      return placed
    }
  }
}

// MARK: - Compiling

extension SynonymTable {
  /// - Throws: ``AnalyzerError/invalidSynonymRule(_:reason:)`` when an entry holds no word.
  init(_ rules: [SynonymRule], analysedBy tokenizer: Tokenizer) throws {
    for rule in rules {
      switch rule {
      case .group(let entries):
        let analysed = try entries.map { try Self.analyse($0, tokenizer) }
        for (index, entry) in analysed.enumerated() {
          add(entry, alternatives: analysed.enumerated().filter { $0.offset != index }.map(\.element))
        }
      case .oneWay(let from, let to):
        let targets = try to.map { try Self.analyse($0, tokenizer) }
        for entry in from { add(try Self.analyse(entry, tokenizer), alternatives: targets) }
      }
    }
  }

  private static func analyse(_ entry: String, _ tokenizer: Tokenizer) throws -> [QueryTerm] {
    let terms = tokenizer.queryTerms(entry, prefix: false)
    guard !terms.isEmpty else {
      throw AnalyzerError.invalidSynonymRule(entry, reason: "the entry holds no word")
    }
    return terms
  }

  private mutating func add(_ entry: [QueryTerm], alternatives: [[QueryTerm]]) {
    let terms = entry.compactMap(\.forms.first)
    guard let key = terms.first else { return }
    var sameStart = rules[key] ?? []
    if let known = sameStart.firstIndex(where: { $0.terms == terms }) {
      let new = alternatives.filter { !sameStart[known].alternatives.contains($0) }
      sameStart[known].alternatives += new
    } else {
      sameStart.append(Rule(terms: terms, alternatives: alternatives))
      sameStart.sort { $0.terms.count > $1.terms.count }
    }
    rules[key] = sameStart
  }
}
