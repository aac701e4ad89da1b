import TextAnalysis

/// Columns of an index that share an analyzer.
struct ColumnGroup: Sendable {
  /// The numbers of the columns, ascending.
  let columns: [Int]
  /// Converts their text to terms.
  let analyzer: Analyzer

  /// Whether words are stemmed.
  var hasStems: Bool {
    analyzer.configuration.languageProperty != nil || analyzer.configuration.language.map { !$0.isEmpty } ?? false
  }

  /// Whether two terms may share a position: a word and its stem, or an identifier and its first part.
  var hasColocatedTerms: Bool { analyzer.configuration.colocatesTerms }
}

extension FullTextDefinition {
  /// Returns the columns grouped by analyzer, in the order of the first column of each group.
  ///
  /// - Throws: `AnalyzerError`, for example for an unknown language.
  func columnGroups() throws -> [ColumnGroup] {
    var configurations: [AnalyzerConfiguration] = []
    var columns: [[Int]] = []
    for (column, field) in fields.enumerated() {
      let configuration = analyzer(of: field.name)
      if let known = configurations.firstIndex(of: configuration) {
        columns[known].append(column)
      } else {
        configurations.append(configuration)
        columns.append([column])
      }
    }
    return try zip(configurations, columns).map { ColumnGroup(columns: $1, analyzer: try Analyzer($0)) }
  }

  /// Checks that every analyzer can be created.
  ///
  /// - Throws: `AnalyzerError`, for example for an unknown language or a synonym without a word.
  public func checkAnalyzers() throws {
    // The default analyzer is checked even if no field uses it.
    _ = try Analyzer(analyzer)
    _ = try columnGroups()
  }
}
