import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel
import TextIndex

/// A row of a result together with the document that it comes from, as the first developer builds of Couchbase Lite 2 gave
/// it. See ``Query/run()``.
public class QueryRow {
  /// The values of the row.
  public let result: Result
  /// The document's id.
  public let documentID: String
  /// The document's sequence.
  public let sequence: UInt64

  private let collection: Collection

  init(_ result: Result, documentID: String, sequence: UInt64, in collection: Collection) {
    self.result = result
    self.documentID = documentID
    self.sequence = sequence
    self.collection = collection
  }

  /// The document as it is now, read when it is asked for; without properties where it is there no more.
  public var document: Document {
    (try? collection.document(id: documentID)) ?? MutableDocument(id: documentID)
  }

  /// The number of values.
  public var count: Int { result.count }

  /// The value in a column. See ``Result/value(at:)``.
  public func value(at index: Int) -> Any? { result.value(at: index) }

  /// The value in a column by its name. See ``Result/value(forKey:)``.
  public func value(forKey key: String) -> Any? { result.value(forKey: key) }
}

/// A row of a query with full-text conditions: with the text that matches, and where.
///
/// ```swift
/// for case let row as FullTextQueryRow in try query.run() {
///   print(row.fullTextMatched ?? "", row.matchCount, row.textRange(ofMatch: 0))
/// }
/// ```
public final class FullTextQueryRow: QueryRow {
  /// A string of the document with the places that match.
  public struct MatchedText: Hashable, Sendable {
    /// The path of the string: `name`, `reviews[2].content`.
    public let path: String
    /// The string.
    public let text: String
    /// The bytes of the matches in the UTF-8 of the string, in order.
    public let ranges: [Range<Int>]
  }

  /// The strings that match, in the order of the index's fields.
  public let matchedTexts: [MatchedText]
  private let matches: [(text: String, range: Range<Int>)]

  init(
    _ result: Result, documentID: String, sequence: UInt64, in collection: Collection, matchedTexts: [MatchedText]
  ) {
    self.matchedTexts = matchedTexts
    matches = matchedTexts.flatMap { text in text.ranges.map { (text.text, $0) } }
    super.init(result, documentID: documentID, sequence: sequence, in: collection)
  }

  /// The first string that matches, whole; nil where the match has no place, as for `NOT`.
  public var fullTextMatched: String? { matchedTexts.first?.text }

  /// The number of places that match.
  public var matchCount: Int { matches.count }

  /// The range of a match in its string, of ``fullTextMatched`` for the first ones; nil where there is no such match.
  public func textRange(ofMatch number: Int) -> Range<String.Index>? {
    guard matches.indices.contains(number) else { return nil }
    let (text, range) = matches[number]
    let bytes = text.utf8
    return bytes.index(
      bytes.startIndex, offsetBy: range.lowerBound)..<bytes.index(
        bytes.startIndex, offsetBy: range.upperBound)
  }

  /// The string of a match.
  public func text(ofMatch number: Int) -> String? { matches.indices.contains(number) ? matches[number].text : nil }
}

extension Query {
  /// Runs the query and gives each row with its document. The rows of a query with full-text conditions are
  /// ``FullTextQueryRow``s.
  ///
  /// ```swift
  /// for row in try query.run() { print(row.documentID, row.document.properties) }
  /// ```
  ///
  /// With several sources the document is that of the first.
  ///
  /// - Throws: as ``execute()``; ``CBLError/invalidQuery`` for rows that come from no single document, as with `GROUP BY`.
  public func run() throws -> [QueryRow] {
    try withPublicErrors {
      if let buildError { throw buildError }
      guard let database, let first = model.sources.first, case .collection(let path) = first.content else {
        throw CBLError(CBLError.invalidQuery, "a query without FROM has no documents; use execute()")
      }
      guard model.grouping.isEmpty, !model.isDistinct, !model.hasAggregates else {
        throw CBLError(CBLError.invalidQuery, "rows of groups come from no single document; use execute()")
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
        let texts = try MatchedTexts(model, source: source, parameters, runner.compiled(db))
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

/// Finds where the MATCH conditions of a query match in a document.
private struct MatchedTexts {
  private let highlighters: [Highlighter]

  /// - Returns: nil for a query without such conditions on the source.
  init?(
    _ model: SelectQuery, source: String, _ parameters: [String: JSONValue], _ compiled: CompiledQuery
  ) throws {
    var highlighters: [Highlighter] = []
    for case .match(let text, let id) in compiled.bindings {
      guard let index = compiled.fullTextIndexes[id] else { continue }
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
          for match in try highlighter.highlight(root, snippetCount: 0).matches {
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
  /// Whether rows are put together by an aggregate.
  fileprivate var hasAggregates: Bool {
    var found = false
    for expression in expressions {
      expression.visit { if case .function(let function, _, _) = $0, function.isAggregate { found = true } }
    }
    return found
  }
}
