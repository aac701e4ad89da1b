import JSONText
import QueryModel
import SQLiteAccess
import TextAnalysis
import TextIndex

/// Writes expressions as SQL. SQL text is made here and in the files beside, and nowhere else.
///
/// An expression is written in one of three ways, as it is needed: **exact**, as a **sort key** (both ``SQLEncoding``), or as a
/// **condition**: 1, 0, or NULL for null and MISSING, where SQL's own operators do the work.
final class SQLGenerator {
  /// How a source is called in SQL.
  struct Source {
    /// The name of its table: `t0` for documents, `u1` for elements.
    let alias: String
    let schema: CollectionSchema?

    var isDocument: Bool { schema != nil }
  }

  /// A column of an index that holds an expression.
  struct IndexColumn {
    let expression: QueryExpression
    let collation: QueryCollation
    /// The sort key: `i0.k0`.
    let key: String
    /// What stands beside the key where it does not tell the exact value, otherwise NULL: `i0.e0`.
    let stored: String
    /// The exact value.
    let exact: String
  }

  var sources: [String: Source] = [:]
  /// What is read from an index instead of the document.
  var indexColumns: [IndexColumn] = []
  /// How the score of a full-text index is written.
  var scores: [FullTextIndexName: String] = [:]
  /// Aggregates that are read from an index, each as a subquery of its own.
  var indexExtremes: [(aggregate: QueryExpression, sql: String)] = []
  /// MATCH conditions that a join has taken over.
  var indexedMatches: Set<QueryExpression> = []
  /// Indexes that hold predictions, by what they are asked for.
  var indexedPredictions: [IndexedPredictions] = []
  /// The names of those that the SQL reads, by source.
  private(set) var predictionIndexNames: [String: [String]] = [:]
  /// The sources whose row in the table of documents is read.
  private(set) var documentsRead: Set<String> = []

  /// Whether fractions are written into the SQL, which takes a call for each: where there is nobody to bind them.
  let inlinesNumbers: Bool

  private(set) var bindings: [QueryBinding] = []
  private var bindingNumbers: [QueryBinding: Int] = [:]
  private(set) var fullTextIndexes: [Int64: StoredFullTextIndex] = [:]

  /// The collation of the innermost COLLATE around what is being written.
  private(set) var collation = QueryCollation.binary
  private var variables: [(name: String, alias: String)] = []
  private var variableCount = 0

  init(inlinesNumbers: Bool = false) { self.inlinesNumbers = inlinesNumbers }

  // MARK: Predictions

  /// The number of the run, by which predictions are remembered.
  lazy var predictionRun = inlinesNumbers ? SQLText.literal(PredictionRun.next()) : bind(.predictionRun)

  func notePrediction(from cache: IndexedPredictions) {
    if predictionIndexNames[cache.source]?.contains(cache.index.name) != true {
      predictionIndexNames[cache.source, default: []].append(cache.index.name)
    }
  }

  // MARK: Values

  /// A fraction. SQLite's own reading of digits is not exact.
  func number(_ number: Double) -> String {
    guard number.isFinite else { return SQLText.null }
    return inlinesNumbers
      ? "concordance_value(\(SQLText.literal(JSONValue.double(number).text)), '')" : bind(.double(number))
  }

  /// Makes the parameter of SQL for a value.
  func bind(_ binding: QueryBinding) -> String {
    if let number = bindingNumbers[binding] { return "?\(number)" }
    bindings.append(binding)
    // 0.0 and -0.0 are equal, and not the same.
    if case .double = binding {} else { bindingNumbers[binding] = bindings.count }
    return "?\(bindings.count)"
  }

  /// The table of documents of a source, noted as read.
  func document(_ source: String) throws -> String {
    guard let found = sources[source], found.isDocument else {
      throw QueryCompilationError(.invalid, "there is no document called \"\(source)\" here")
    }
    documentsRead.insert(source)
    return found.alias
  }

  func source(_ name: String) throws -> Source {
    guard let found = sources[name] else {
      throw QueryCompilationError(.invalid, "there is no source \"\(name)\"")
    }
    return found
  }

  // MARK: Collations

  func withCollation<T>(_ collation: QueryCollation, _ body: () throws -> T) rethrows -> T {
    let outer = self.collation
    self.collation = collation
    defer { self.collation = outer }
    return try body()
  }

  /// The name of the collation in force, or nil for bytes.
  func collationName() throws -> String? { try SQLGenerator.name(of: collation) }

  /// SQL whose value is compared by the collation in force.
  ///
  /// - Parameter other: what it is compared with.
  func collated(_ sql: String, with other: String = "") throws -> String {
    if let name = try collationName() { return "\(sql) COLLATE \(name)" }
    return SQLGenerator.bytewise(sql, with: other)
  }

  /// SQL whose value is compared by bytes. SQLite takes over a COLLATE from anywhere inside an operand.
  static func bytewise(_ sql: String, with other: String = "") -> String {
    SQLText.mentionsCollation(sql) || SQLText.mentionsCollation(other) ? "\(sql) COLLATE BINARY" : sql
  }

  static func name(of collation: QueryCollation) throws -> String? {
    let options: CollationOptions
    switch collation {
    case .binary: return nil
    case .asciiIgnoringCase: options = CollationOptions(ignoresCase: true)
    case .unicode(let locale, let ignoresCase, let ignoresAccents):
      options = CollationOptions(
        isUnicode: true, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents, locale: locale)
    }
    guard options.isWellFormed else {
      throw QueryCompilationError(
        .invalid, "\"\(options.locale ?? "")\" is no locale; write one such as sv or de_AT")
    }
    return options.name
  }

  // MARK: Variables

  /// Calls `body` with the name of the table whose rows are the values of a variable.
  func withVariable<T>(_ name: String, _ body: (_ alias: String) throws -> T) rethrows -> T {
    let alias = "v\(variableCount)"
    variableCount += 1
    variables.append((name, alias))
    defer { variables.removeLast() }
    return try body(alias)
  }

  func variable(_ name: String) throws -> String {
    guard let found = variables.last(where: { $0.name == name }) else {
      throw QueryCompilationError(.invalid, "the variable \"\(name)\" is used outside of its ANY or EVERY")
    }
    return found.alias
  }

  // MARK: Full text

  func index(_ name: FullTextIndexName) throws -> StoredFullTextIndex {
    guard let source = name.source, let schema = sources[source]?.schema,
      let index = schema.fullTextIndexes.first(where: { $0.name == name.name })
    else { throw QueryCompilationError(.missingIndex, "there is no full-text index \"\(name.name)\"") }
    fullTextIndexes[index.id] = index
    return index
  }

  /// The parameter that the matches of a full-text query are bound to.
  func matchBinding(_ index: FullTextIndexName, _ query: QueryExpression) throws -> String {
    let id = try self.index(index).id
    switch query {
    case .string(let text): return bind(.match(.literal(text), index: id))
    case .parameter(let name): return bind(.match(.parameter(name), index: id))
    default:
      throw QueryCompilationError(
        .unsupported,
        "the query of MATCH(\(index.name), …) must be a string or a parameter, since it is read before the "
          + "documents are")
    }
  }

  /// SQL that selects the rows that a full-text query matches.
  func matchSelection(_ index: FullTextIndexName, _ query: QueryExpression) throws -> String {
    "SELECT doc FROM \(MatchTableFunction.name)(\(try matchBinding(index, query)))"
  }
}
