import Concordance

/// The full-text index that `concord index` maintains. It is created if it is missing and rebuilt if its definition
/// changes.
struct SearchIndex {
  /// The name of the index.
  static let name = Collection.defaultFullTextIndexName

  /// The fields given by the user.
  var fields: [String]?
  /// The analysis options given by the user.
  var analysis: AnalysisOptions
  /// The analysis options of individual fields.
  var fieldAnalysis: FieldAnalysisOptions
  /// The synonyms given by the user.
  var synonyms: [SynonymRule]?

  /// Creates or updates the index for a corpus that contains these kinds of documents. Options that the user did not
  /// specify keep their values.
  func prepare(
    for kinds: CorpusKinds, in collection: Collection, progress: IndexProgress, _ messages: Messages
  ) throws {
    let existing = try collection.indexDescriptions().first { $0.name == SearchIndex.name }
    let oldAnalyzer = existing?.analyzer ?? AnalyzerConfiguration()
    var analyzer = oldAnalyzer
    analysis.apply(to: &analyzer)
    if let synonyms { analyzer.synonyms = synonyms }
    let fields = fields(for: kinds, existing)
    // An empty folder does not indicate which kinds of documents will be added later.
    guard !fields.isEmpty else { return }
    var config = FullTextIndexConfiguration(fields)
    config.analyzer = analyzer
    config.fieldAnalyzers = fieldAnalysis.analyzers(
      existing?.fieldAnalyzers ?? [:], index: oldAnalyzer, analyzer, fields: fields)
    if self.fields == nil { prepareNames(&config, existing) }
    if let existing, existing.fields == fields, existing.analyzer == analyzer,
      existing.fieldAnalyzers == config.fieldAnalyzers, !existing.isOutdated
    {
      return
    }
    try config.checkAnalyzers()
    let reason = existing.map {
      $0.isOutdated ? "it was built by another version" : change(from: $0.configuration, to: config)
    }
    // Stop words and synonyms do not change the terms of the index.
    if let existing, let reason, existing.documentCount > 0, !reason.isEmpty {
      messages.warning(
        "rebuilding the index of \(Quantity.count(existing.documentCount, "document")): \(reason)")
    }
    if let existing { config.keepRanking(of: existing.configuration) }
    // If the user chose the fields, the user also decides what `*` covers.
    config.excludedFromOtherStrings = self.fields == nil ? CorpusKinds.fileShape : nil
    try collection.createIndex(withName: SearchIndex.name, config: config) { done, total in
      progress.showRebuild(done: Int(done), total: Int(total))
      return true
    }
  }

  /// Returns whether the language of each document is detected.
  func detectsLanguage(in collection: Collection) throws -> Bool {
    if analysis.language != nil { return analysis.isAutomatic }
    let existing = try collection.indexDescriptions().first { $0.name == SearchIndex.name }
    return existing?.analyzer.languageProperty == AnalysisOptions.languageProperty
  }

  /// Adds the languages of documents to the query languages of the index. Terms do not change, so the index is not
  /// rebuilt.
  ///
  /// - Parameter languages: the values of the property; languages without a stemmer are skipped.
  static func add(languages: Set<String>, in collection: Collection) throws {
    guard let existing = try collection.indexDescriptions().first(where: { $0.name == SearchIndex.name }),
      existing.analyzer.languageProperty != nil
    else { return }
    let codes = languages.compactMap { try? Analyzer(AnalyzerConfiguration(language: $0)).configuration.language }
    let known = Set(existing.analyzer.queryLanguages)
    guard !known.isSuperset(of: codes) else { return }
    var analyzer = existing.analyzer
    analyzer.queryLanguages = known.union(codes).sorted()
    var config = existing.configuration
    config.analyzer = analyzer
    config.fieldAnalyzers = config.fieldAnalyzers.mapValues { $0.following(from: existing.analyzer, to: analyzer) }
    try collection.createIndex(withName: SearchIndex.name, config: config)
  }

  /// Configures the fields that contain names, unless the user chose otherwise. Paths are analyzed as code, which makes
  /// their components searchable. Defined names are neither analyzed as code nor stemmed, so that `kmalloc` does not
  /// match `kmalloc_node`.
  private func prepareNames(_ config: inout FullTextIndexConfiguration, _ existing: IndexDescription?) {
    let chosen = fieldAnalysis.code.map(\.field) + fieldAnalysis.languages.map(\.field)
    for (field, isCode) in [(CorpusKinds.path, true), (CorpusKinds.symbols, false)]
    where config.expressions.contains(field) && !chosen.contains(field) {
      var analyzer = config.analyzer(of: field)
      if let existing, existing.fields.contains(field) {
        let stored = existing.configuration.analyzer(of: field)
        guard stored.code == isCode, isCode || stored.language == nil else { continue }
      } else if isCode {
        // A word in a path occurs in most files of its folder, so it is less significant than a word in the text. A
        // file that a query names comes first regardless of this weight.
        config.weights[field] = 0.1
      }
      analyzer.code = isCode
      if !isCode {
        analyzer = AnalyzerConfiguration(accents: analyzer.accents)
      }
      config.fieldAnalyzers[field] = analyzer == config.analyzer ? nil : analyzer
    }
  }

  private func fields(for kinds: CorpusKinds, _ existing: IndexDescription?) -> [String] {
    if let fields { return fields }
    guard let existing else { return kinds.fields }
    return CorpusKinds(fields: existing.fields).map { $0.union(kinds).fields } ?? existing.fields
  }

  private func change(
    from existing: FullTextIndexConfiguration, to config: FullTextIndexConfiguration
  ) -> String {
    var changes: [String] = []
    func note(_ what: String, _ before: String, _ after: String) {
      if before != after { changes.append("\(what) \(after) instead of \(before)") }
    }
    func note(_ owner: String, _ before: AnalyzerConfiguration, _ after: AnalyzerConfiguration) {
      for option in AnalyzerOption.all where option.changesTerms {
        note(option.name + owner, option.text(of: before), option.text(of: after))
      }
    }
    note("fields", existing.expressions.joined(separator: ","), config.expressions.joined(separator: ","))
    note("", existing.analyzer, config.analyzer)
    for field in config.expressions where existing.expressions.contains(field) {
      guard existing.fieldAnalyzers[field] != nil || config.fieldAnalyzers[field] != nil else { continue }
      note(" of \(field)", existing.analyzer(of: field), config.analyzer(of: field))
    }
    return changes.joined(separator: "; ")
  }
}

extension FullTextIndexConfiguration {
  /// Throws if the configuration is invalid, before anything is printed about the rebuild.
  func checkAnalyzers() throws {
    do {
      for analyzer in [analyzer] + fieldAnalyzers.values { _ = try Analyzer(analyzer) }
    } catch AnalyzerError.stopWordsWithoutLanguage {
      throw CommandFailure(
        "\(AnalyzerError.stopWordsWithoutLanguage); give one with --language, or --stop-words none")
    } catch let error as AnalyzerError {
      throw CommandFailure(error.description)
    }
  }

  /// Copies the ranking model, `k1`, `b` and the weights of the fields that both configurations have.
  fileprivate mutating func keepRanking(of other: FullTextIndexConfiguration) {
    (model, k1, b) = (other.model, other.k1, other.b)
    weights.merge(other.weights.filter { expressions.contains($0.key) }) { $1 }
  }
}
