public import DocumentStore
import JSONText
import QueryModel

/// The SQL of an index's table: how it is made, filled and kept up.
public struct ValueIndexTable: Sendable {
  /// Makes the table and its index.
  let creation: [String]
  /// Inserts the rows of one document, whose row is `?1`; `?2` is the number of a ``PredictionRun`` where models are asked.
  public let insertion: String
  /// Whether ``insertion`` takes the place of the rows that the document has.
  let replaces: Bool
  /// Inserts the rows of all documents.
  let filling: String
  /// Inserts the rows of those documents that have none.
  let completion: String
  /// Deletes the rows of the document whose row is `?1`.
  public let removal: String
  /// Selects what stands in the index but should not, and what should but does not: a row for each.
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
    // The statement runs for many documents, and each time may find another model.
    let ofOne = index.makesPredictions ? try ValueIndexTable.selection(index, collection, run: "?2") : selection
    let one = "INSERT INTO \(name) (doc, \(names)) \(ofOne) AND t0.rowid = ?1"
    // Of a document in every version of which there is a row, the row is changed, and only where it says something else:
    // most changes of a document touch no indexed property. 1 and 1.0 are equal, and not the same.
    let changed =
      numbers.map { "k\($0) IS NOT excluded.k\($0) OR typeof(k\($0)) <> typeof(excluded.k\($0))" }
      + allNames.dropFirst(numbers.count).map { "\($0) IS NOT excluded.\($0)" }
    let assignments = allNames.map { "\($0) = excluded.\($0)" }
    replaces = index.isOfDocuments && index.definition.condition == nil
    insertion =
      !replaces
      ? one
      : "\(one) ON CONFLICT (doc) DO UPDATE SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(changed.joined(separator: " OR "))"
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

  /// The rows of documents that should not be in the index, or should be and are not. Predictions are not made again to be
  /// compared: it takes long, the model may not be there, and that it has learnt is no damage.
  private static func presence(_ index: StoredValueIndex, _ collection: CollectionRecord, isComplete: Bool) -> String {
    let live = "SELECT rowid FROM \(collection.table) WHERE deleted = 0"
    let indexed = "SELECT doc FROM \(index.tableName)"
    return "\(indexed) WHERE doc NOT IN (\(live))" + (isComplete ? " UNION \(live) AND rowid NOT IN (\(indexed))" : "")
  }

  /// The rows of all documents, as a SELECT that ends in WHERE.
  ///
  /// - Parameter run: SQL for the number of the run, by which predictions are remembered; nil for a run that is the only one.
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
      // Arrays and objects are read from the document where they are asked for, unless a model has made them.
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
  /// The arrays of a path with `[]`, each as steps from an element of the one before: `contacts[].phones` is `contacts` and
  /// `phones`. A trailing `[]` says nothing more.
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
  /// A copy in which what names no source is of this one.
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
