import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import TextIndex

extension Query {
  /// Runs the query and returns each row with its document. The rows of a query with full-text conditions are
  /// ``FullTextQueryRow``s.
  ///
  /// ```swift
  /// for row in try query.run() { print(row.documentID, row.document.properties) }
  /// ```
  ///
  /// If the query has several sources, the document of a row is that of the first source.
  ///
  /// - Throws: the same errors as ``execute()``; ``CBLError/invalidQuery`` for rows without a single document, as with
  ///   `GROUP BY`.
  public func run() throws -> [QueryRow] {
    try withPublicErrors {
      if let buildError { throw buildError }
      guard let database, let first = model.sources.first, case .collection(let path) = first.content else {
        throw CBLError(CBLError.invalidQuery, "a query without FROM has no documents; use execute()")
      }
      guard model.grouping.isEmpty, !model.isDistinct, !model.hasAggregates else {
        throw CBLError(CBLError.invalidQuery, "a row of a group does not come from a single document; use execute()")
      }
      var extended = model
      let source = model.sourceNames.all[0]
      extended.columns += [
        ResultColumn(.metadata(.id, source: source), alias: "\u{1}id"),
        ResultColumn(.metadata(.sequence, source: source), alias: "\u{1}sequence"),
      ]
      let runner = QueryRunner(extended, in: database)
      let parameters = try parameterValues()
      return try runner.engine.store.read { db in
        guard let record = try runner.record(path, db) else { return [] }
        let collection = Collection(record, in: database)
        let indexes = try database.engine.fullTextIndexes(of: record, db)
        let texts = try MatchedTexts(of: indexes, parameters, runner.compiled(db))
        var rows: [QueryRow] = []
        var columns: ResultColumns?
        try runner.run(parameters) { compiled, row in
          let names = columns ?? ResultColumns(Array(compiled.columnNames.dropLast(2)))
          columns = names
          var values = compiled.values(row)
          guard case .integer(let sequence)? = values.popLast(), case .string(let id)? = values.popLast() else {
            return true
          }
          let result = Result(names, values, self)
          if let texts {
            let matched = try texts.matches(in: DocumentReader(record, db).document(id: id))
            rows.append(
              FullTextQueryRow(
                result, documentID: id, sequence: UInt64(clamping: sequence), in: collection, matchedTexts: matched))
          } else {
            rows.append(QueryRow(result, documentID: id, sequence: UInt64(clamping: sequence), in: collection))
          }
          return true
        }
        return rows
      }
    }
  }
}

/// Finds where the MATCH conditions of a query match in a document of its first source.
private struct MatchedTexts {
  private let highlighters: [Highlighter]

  /// - Parameter indexes: the full-text indexes of the collection of the first source.
  /// - Returns: nil for a query without conditions on these indexes.
  init?(
    of indexes: [StoredFullTextIndex], _ parameters: [ExactString: JSONValue], _ compiled: CompiledQuery
  ) throws {
    var highlighters: [Highlighter] = []
    for case .match(let text, let id) in compiled.bindings {
      guard let index = indexes.first(where: { $0.id == id }) else { continue }
      let query: String
      switch text {
      case .literal(let literal): query = literal
      case .parameter(let name):
        guard case .string(let value)? = parameters[name] else { continue }
        query = value
      }
      highlighters.append(Highlighter(try FullTextQuery(MatchParser().parse(query), in: index)))
    }
    guard !highlighters.isEmpty else { return nil }
    self.highlighters = highlighters
  }

  func matches(in document: StoredDocument?) throws -> [FullTextQueryRow.MatchedText] {
    guard let document else { return [] }
    return try JSONParser.withShared { parser in
      try document.body.withUnsafeBytes { bytes in
        let root = try parser.parse(bytes)
        var ranges: [(path: String, ranges: [Range<Int>])] = []
        for highlighter in highlighters {
          for match in try highlighter.highlight(root, snippetCount: 0, snippetLength: 0).matches {
            if let known = ranges.firstIndex(where: { $0.path == match.path }) {
              if !ranges[known].ranges.contains(match.range) { ranges[known].ranges.append(match.range) }
            } else {
              ranges.append((match.path, [match.range]))
            }
          }
        }
        return try ranges.map { path, ranges in
          let text = try PropertyPath(path).element(in: root)?.string ?? ""
          return FullTextQueryRow.MatchedText(
            path: path, text: text, ranges: ranges.sorted { $0.lowerBound < $1.lowerBound })
        }
      }
    }
  }
}

extension SelectQuery {
  /// Whether an aggregate combines rows.
  fileprivate var hasAggregates: Bool {
    var found = false
    for expression in expressions {
      expression.visit { if case .function(let function, _, _) = $0, function.isAggregate { found = true } }
    }
    return found
  }
}
