import DocumentStore
import JSONText
import QueryModel
import SQLiteAccess
import TextAnalysis
import TextIndex

/// Writes expressions as SQL.
///
/// An expression is written in one of three forms, depending on its use: as an **exact** value, as a **sort key** (for
/// both see ``SQLEncoding``), or as a **condition**, which is 1, 0, or NULL for null and MISSING and uses SQL's own
/// operators.
final class SQLGenerator {
  /// A source and its alias in SQL.
  struct Source {
    /// The alias of its table: `t0` for documents, `u1` for elements.
    let alias: String
    let schema: CollectionSchema?

    var isDocument: Bool { schema != nil }
  }

  /// An index column that contains an expression.
  struct IndexColumn {
    let expression: QueryExpression
    let collation: QueryCollation
    /// The sort key: `i0.k0`.
    let key: String
    /// The column with the exact value if the key does not determine it, otherwise NULL: `i0.e0`.
    let stored: String
    /// The exact value.
    let exact: String
  }

  var sources: [String: Source] = [:]
  /// The expressions that are read from an index instead of the document.
  var indexColumns: [IndexColumn] = []
  /// SQL for the score of each full-text index.
  var scores: [FullTextIndexName: String] = [:]
  /// Aggregates that are read from an index, each with its subquery.
  var indexExtremes: [(aggregate: QueryExpression, sql: String)] = []
  /// MATCH conditions that the driving table of FROM already answers.
  var indexedMatches: Set<QueryExpression> = []
  /// Indexes that store predictions, with the calls that they answer.
  var indexedPredictions: [IndexedPredictions] = []
  /// The names of the prediction indexes that the SQL reads, by source.
  private(set) var predictionIndexNames: [String: [String]] = [:]
  /// The sources whose row in the table of documents is read.
  private(set) var documentsRead: Set<String> = []

  /// Whether floating-point numbers are written into the SQL because the statement has no bindings. Each one costs a
  /// function call.
  let inlinesNumbers: Bool

  private(set) var bindings: [QueryBinding] = []
  private var bindingNumbers: [QueryBinding: Int] = [:]
  private(set) var fullTextIndexes: [Int64: StoredFullTextIndex] = [:]

  /// The collation of the innermost COLLATE around the current expression.
  private(set) var collation = QueryCollation.binary
  private var variables: [(name: String, alias: String)] = []
  private var variableCount = 0

  private var writing = LongCall()

  init(inlinesNumbers: Bool = false) { self.inlinesNumbers = inlinesNumbers }

  /// Counts an expression that is written, so that the compilation of a large query ends at the time limit.
  func countExpression() throws { try writing.step() }

  // MARK: Predictions

  /// SQL for the number of the run, which identifies the predictions that are cached during it.
  lazy var predictionRun = inlinesNumbers ? SQLText.literal(PredictionRun.next()) : bind(.predictionRun)

  func notePrediction(from cache: IndexedPredictions) {
    if predictionIndexNames[cache.source]?.contains(cache.index.name) != true {
      predictionIndexNames[cache.source, default: []].append(cache.index.name)
    }
  }

  // MARK: Values

  /// Returns SQL for a floating-point number. It is not written as digits because SQLite does not parse them exactly.
  func number(_ number: Double) -> String {
    guard number.isFinite else { return SQLText.null }
    return inlinesNumbers
      ? "concordance_value(\(SQLText.literal(JSONValue.double(number).text)), '')" : bind(.double(number))
  }

  /// Returns the SQL parameter for a value, adding a binding if needed.
  func bind(_ binding: QueryBinding) -> String {
    if let number = bindingNumbers[binding] { return "?\(number)" }
    bindings.append(binding)
    // 0.0 and -0.0 are equal but must not share a parameter.
    if case .double = binding {} else { bindingNumbers[binding] = bindings.count }
    return "?\(bindings.count)"
  }

  /// Returns the table of documents of a source and records that it is read.
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

  /// Returns the name of the current collation; nil for comparison by bytes.
  func collationName() throws -> String? { try SQLGenerator.name(of: collation) }

  /// Returns SQL whose value is compared by the current collation.
  ///
  /// - Parameter other: the other operand of the comparison.
  func collated(_ sql: String, with other: String = "") throws -> String {
    if let name = try collationName() { return "\(sql) COLLATE \(name)" }
    return SQLGenerator.bytewise(sql, with: other)
  }

  /// Returns SQL whose value is compared by bytes. SQLite applies a COLLATE from anywhere inside an operand, so an
  /// explicit COLLATE BINARY overrides it.
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
        .invalid, "\"\(options.locale ?? "")\" is not a locale; use one such as sv or de_AT")
    }
    return options.name
  }

  // MARK: Variables

  /// Calls `body` with the alias of the table whose rows are the values of a variable.
  func withVariable<T>(_ name: String, _ body: (_ alias: String) throws -> T) rethrows -> T {
    let alias = "v\(variableCount)"
    variableCount += 1
    variables.append((name, alias))
    defer { variables.removeLast() }
    return try body(alias)
  }

  func variable(_ name: String) throws -> String {
    guard let found = variables.last(where: { $0.name == name }) else {
      throw QueryCompilationError(.invalid, "the variable \"\(name)\" is used outside its ANY or EVERY")
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

  /// Returns the parameter that the matches of a full-text query are bound to.
  func matchBinding(_ index: FullTextIndexName, _ query: QueryExpression) throws -> String {
    let id = try self.index(index).id
    switch query {
    case .string(let text): return bind(.match(.literal(text), index: id))
    case .parameter(let name): return bind(.match(.parameter(ExactString(name)), index: id))
    default:
      throw QueryCompilationError(
        .unsupported,
        "the query of MATCH(\(index.name), …) must be a string or a parameter, because it is evaluated before the "
          + "documents are read")
    }
  }

  /// Returns SQL that selects the rows that match a full-text query.
  func matchSelection(_ index: FullTextIndexName, _ query: QueryExpression) throws -> String {
    "SELECT doc FROM \(MatchTableFunction.name)(\(try matchBinding(index, query)))"
  }
}
