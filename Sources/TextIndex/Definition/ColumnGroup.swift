import TextAnalysis

/// Columns of an index whose text is analysed alike, and how.
struct ColumnGroup: Sendable {
  /// The numbers of the columns, ascending.
  let columns: [Int]
  /// Makes terms from their text.
  let analyzer: Analyzer

  /// Whether words have stems.
  var hasStems: Bool { analyzer.configuration.language.map { !$0.isEmpty } ?? false }

  /// Whether two terms may share a position, a word and its stem or a name and its first part.
  var hasColocatedTerms: Bool { analyzer.configuration.colocatesTerms }
}

extension FullTextDefinition {
  /// The columns by how their text is analysed, in the order of the first of each group.
  ///
  /// - Throws: `AnalyzerError`, for an unknown language for instance.
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

  /// Throws where an index cannot be made of it: for an unknown language or a synonym without a word.
  ///
  /// - Throws: `AnalyzerError`.
  public func checkAnalyzers() throws {
    // That of the index as well, although each field may have another.
    _ = try Analyzer(analyzer)
    _ = try columnGroups()
  }
}
