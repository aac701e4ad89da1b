// Analysis of queries: queries are tokenized like documents, and the tokens are converted to the terms to search for.

extension Tokenizer {
  /// Returns the terms of one word or one phrase of a query, by position.
  ///
  /// Words of a query that do not form a phrase must be passed one by one, because the terms of one text match
  /// successive positions of a document.
  ///
  /// ```swift
  /// tokenizer.queryTerms("running shoes", prefix: true)
  /// // [QueryTerm(forms: ["run"]), QueryTerm(forms: ["shoes"], isPrefix: true)] with language "en"
  /// ```
  ///
  /// - A stemmed word matches by its stem; if stems depend on accents, by its surface form as well.
  /// - With `prefix`, the last term matches all surface forms that begin with it. It is not stemmed, because a word
  ///   that begins with the prefix need not begin with the prefix's stem.
  /// - A run of Han or Kana produces bigrams; its last character becomes a term of its own only if another term
  ///   follows, so that the positions are those of the document. A single character at the end of the text is a prefix.
  /// - An identifier of several parts (``AnalyzerConfiguration/code``) matches the whole identifier. If another term
  ///   follows, the other parts of the identifier precede that term, for the same reason.
  /// - If documents have different languages (``AnalyzerConfiguration/languageProperty``), a word matches by its stems
  ///   in all query languages, and by its surface form.
  /// - Stop words are marked, not dropped. A prefix is not a stop word.
  public func queryTerms(_ text: String, prefix: Bool) -> [QueryTerm] {
    let groups = positions(text)
    // The languages differ only in stems and in the case of the Turkish i, so the positions are the same.
    let translations = queryTokenizers.map { $0.positions(text) }.filter { $0.count == groups.count }
    var terms: [QueryTerm] = []
    for (index, group) in groups.enumerated() {
      let isLast = index == groups.count - 1
      if isLast, group.kind.contains(.runEnd) { continue }
      if group.kind.contains(.part), group.whole == nil, !isFollowed(groups, index) { continue }
      terms.append(term(group, stems: translations.compactMap { $0[index].form(unlike: group) }))
    }
    guard let last = groups.last, !terms.isEmpty else { return terms }
    let final = terms.count - 1
    if prefix {
      var seen: Set<String> = []
      terms[final].forms = ([groups] + translations).map { surface(ofLast: terms[final], in: $0) }
        .filter { seen.insert($0).inserted }
      terms[final].isStopWord = false
      terms[final].isLanguageStopWord = false
    }
    terms[final].isPrefix = prefix || last.kind.contains(.singleCharacter)
    return terms
  }

  /// Returns the folded words of a text by position, without stems.
  func surfaceForms(_ text: String) -> [String] {
    let groups = positions(text)
    return groups.enumerated().compactMap { index, group in
      let isImplied = group.kind.contains(.runEnd) || (group.kind.contains(.part) && group.whole == nil)
      return isImplied && index > 0 ? nil : group.whole ?? group.surface
    }
  }
}

// MARK: - Positions

extension Tokenizer {
  /// The tokens at one position.
  private struct Position {
    var kind: Token.Kind
    var surface: String
    var stem: String?
    /// The identifier that begins at this position.
    var whole: String?
    var start: Int
    var end: Int

    /// Returns the stem, or the surface form if there is no stem and the surface form of `other` is different.
    func form(unlike other: Position) -> String? { stem ?? (surface == other.surface ? nil : surface) }
  }

  private func positions(_ text: String) -> [Position] {
    var text = text
    queryBuffer.removeAll()
    text.withUTF8 { tokenize(UnsafeRawBufferPointer($0), into: queryBuffer) }
    var positions: [Position] = []
    for token in queryBuffer.tokens {
      let form = String(decoding: queryBuffer.term(token), as: UTF8.self)
      let last = positions.count - 1
      if !token.isColocated || last < 0 {
        positions.append(
          Position(kind: token.kind, surface: form, start: Int(token.start), end: Int(token.end)))
      } else if token.kind.contains(.identifier) {
        positions[last].whole = form
        positions[last].start = Int(token.start)
        positions[last].end = Int(token.end)
      } else {
        positions[last].stem = form
      }
    }
    return positions
  }

  /// - Parameter stems: the stems of the word in the languages of queries.
  private func term(_ position: Position, stems: [String]) -> QueryTerm {
    var forms = [position.whole ?? position.surface]
    if position.whole == nil, !plan.queryPlans.isEmpty {
      var seen: Set<String> = []
      forms = ((position.stem.map { [$0] } ?? []) + stems + [position.surface]).filter { seen.insert($0).inserted }
    } else if position.whole == nil, let stem = position.stem {
      forms = plan.queriesSurfaceForms ? [stem, position.surface] : [stem]
    }
    let word = position.whole ?? position.surface
    return QueryTerm(
      forms: forms, isStopWord: plan.stopWords.contains(word), isLanguageStopWord: plan.functionWords.contains(word),
      start: position.start, end: position.end)
  }

  /// Returns whether the identifier at `index` is followed by a term that is not one of its parts.
  private func isFollowed(_ positions: [Position], _ index: Int) -> Bool {
    positions[(index + 1)...].contains { !$0.kind.contains(.part) || $0.whole != nil }
  }

  private func surface(ofLast term: QueryTerm, in positions: [Position]) -> String {
    let position = positions.last { $0.start == term.start && $0.end == term.end }
    return position.map { $0.whole ?? $0.surface } ?? term.forms[0]
  }
}
