public import DocumentStore
import JSONText
import QueryModel

/// The SQL that creates, fills and maintains the table of an index.
///
/// The table `concordance_vi_N` contains the row of the document, sort keys `k0`, … and, if a key does not contain the
/// exact value, exact values `e0`, …. The table of a predictive index also has a column `output`.
public struct ValueIndexTable: Sendable {
  /// Creates the table and its indexes.
  let creation: [String]
  /// Inserts the rows of one document. `?1` is the rowid of the document; `?2` is the number of a ``PredictionRun`` if
  /// models are called.
  public let insertion: String
  /// The statement like ``insertion`` for a virtual table, for which SQLite has no UPSERT.
  let replacement: String
  /// Whether ``insertion`` replaces the existing row of the document.
  let replaces: Bool
  /// Inserts the rows of all documents.
  let filling: String
  /// Inserts the rows of all documents that have none.
  let completion: String
  /// Deletes the rows of the document whose rowid is `?1`.
  public let removal: String
  /// Selects the documents with extra or missing rows in the index.
  let comparison: String

  /// - Throws: ``QueryCompilationError`` for expressions that cannot be written as SQL.
  public init(_ index: StoredValueIndex, of collection: CollectionRecord) throws {
    let name = index.tableName
    let numbers = index.columns.indices
    let hasOutput = index.definition.prediction != nil
    let allNames = ValueIndexTable.keyNames(index.columns.count) + (hasOutput ? ["output"] : [])
    let names = allNames.joined(separator: ", ")
    creation = ValueIndexTable.creation(
      name, keyCount: index.columns.count, isOfDocuments: index.isOfDocuments, hasOutput: hasOutput)
    let selection = try ValueIndexTable.selection(index, collection)
    // The statement runs for many documents, and another model may be registered each time.
    let rowSelection = index.makesPredictions ? try ValueIndexTable.selection(index, collection, run: "?2") : selection
    let insertRow = "INSERT INTO \(name) (doc, \(names)) \(rowSelection) AND t0.rowid = ?1"
    // If every document has exactly one row, the row is updated, and only if it differs: most changes to a document do
    // not affect indexed properties. The types are compared because 1 and 1.0 are equal but not identical.
    let changed =
      numbers.map { "k\($0) IS NOT excluded.k\($0) OR typeof(k\($0)) <> typeof(excluded.k\($0))" }
      + allNames.dropFirst(numbers.count).map { "\($0) IS NOT excluded.\($0)" }
    let assignments = allNames.map { "\($0) = excluded.\($0)" }
    replaces = index.isOfDocuments && index.definition.condition == nil
    insertion =
      !replaces
      ? insertRow
      : "\(insertRow) ON CONFLICT (doc) DO UPDATE SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(changed.joined(separator: " OR "))"
    replacement = replaces ? "INSERT OR REPLACE" + insertRow.dropFirst("INSERT".count) : insertRow
    filling = "INSERT INTO \(name) (doc, \(names)) \(selection)"
    completion = "\(filling) AND t0.rowid NOT IN (SELECT doc FROM \(name))"
    removal = "DELETE FROM \(name) WHERE doc = ?1"
    if index.makesPredictions {
      comparison = ValueIndexTable.presence(index, collection, isComplete: replaces && !index.isIncomplete)
      return
    }
    let stored = "SELECT doc, \(names) FROM \(name)"
    comparison = """
      SELECT doc FROM (SELECT * FROM (\(stored)) EXCEPT \(selection))
      UNION SELECT doc FROM (SELECT * FROM (\(selection)) EXCEPT \(stored))
      """
  }

  /// Returns SQL for the rows of documents that should not be in the index, or should be but are not. Predictions are
  /// not compared: calling the models takes a long time, a model may not be registered, and predictions that differ
  /// because a model has changed do not mean that the index is damaged.
  private static func presence(_ index: StoredValueIndex, _ collection: CollectionRecord, isComplete: Bool) -> String {
    let live = "SELECT rowid FROM \(collection.table) WHERE deleted = 0"
    let indexed = "SELECT doc FROM \(index.tableName)"
    return "\(indexed) WHERE doc NOT IN (\(live))" + (isComplete ? " UNION \(live) AND rowid NOT IN (\(indexed))" : "")
  }

  /// Returns a SELECT of the rows of all documents that ends with a WHERE clause.
  ///
  /// - Parameter run: SQL for the number of the run, which identifies cached predictions; nil if the statement runs
  ///   only once.
  private static func selection(
    _ index: StoredValueIndex, _ collection: CollectionRecord, run: String? = nil
  ) throws -> String {
    let generator = SQLGenerator(inlinesNumbers: true)
    if let run { generator.predictionRun = run }
    let document = "document"
    generator.sources[document] = SQLGenerator.Source(alias: "t0", schema: CollectionSchema(collection))
    var element = document
    var tables = "\(collection.table) AS t0"
    for (number, path) in (index.definition.path?.arrayPaths ?? []).enumerated() {
      let array = QueryExpression.everything(source: element).member(at: path)
      tables += " JOIN concordance_each(\(try generator.exact(array))) AS u\(number)"
      element = "element \(number)"
      generator.sources[element] = SQLGenerator.Source(alias: "u\(number)", schema: nil)
    }
    var keys: [String] = []
    var exacts: [String] = []
    for column in index.columns {
      let expression = column.expression.with(source: element)
      let key = try generator.key(expression)
      let exact = try generator.exact(expression)
      let collated = try SQLGenerator.name(of: column.collation).map {
        "concordance_collated(\(key), \(SQLText.literal($0)))"
      }
      keys.append(collated ?? key)
      // Arrays and objects are read from the document when needed, unless they are the output of a model.
      let isScalar = column.expression.makesPredictions ? "" : "typeof(\(key)) <> 'blob' AND "
      exacts.append("CASE WHEN \(isScalar)\(exact) IS NOT \(collated ?? key) THEN \(exact) END")
    }
    var conditions = ["t0.deleted = 0"]
    if let condition = index.definition.condition {
      conditions.append("(\(try generator.condition(condition.with(source: document))))")
    }
    let output = try index.definition.prediction.map { [try generator.exact($0.with(source: document))] } ?? []
    return "SELECT t0.rowid AS doc, \((keys + exacts + output).joined(separator: ", ")) FROM \(tables) "
      + "WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension PropertyPath {
  /// The paths of the nested arrays in a path with `[]`, each relative to an element of the preceding array:
  /// `contacts[].phones` consists of `contacts` and `phones`. A trailing `[]` is ignored.
  var arrayPaths: [[Component]] {
    var paths: [[Component]] = [[]]
    for component in components {
      if component == .each {
        paths.append([])
      } else {
        paths[paths.count - 1].append(component)
      }
    }
    if paths.count > 1, paths.last?.isEmpty == true { paths.removeLast() }
    return paths
  }
}

extension QueryExpression {
  /// Returns a copy in which expressions without a source refer to this one.
  func with(source: String) -> QueryExpression {
    map { expression in
      switch expression {
      case .property(let path, nil): .everything(source: source).member(at: path.components)
      case .everything(nil): .everything(source: source)
      case .metadata(let field, nil): .metadata(field, source: source)
      default: expression
      }
    }
  }
}
