import JSONText
import MapReduce
import QueryCompiler
import QueryModel

/// The definition of a view whose map function is a list of SQL++ expressions. It is stored in the file, so that every
/// program that opens the file can update and query the view.
///
/// ```swift
/// let config = ViewConfiguration(key: "type, city", value: "price", reduce: "_stats")
/// try hotels.createIndex(withName: "prices", config: config)
/// let rows = try hotels.view(named: "prices").createQuery().run()
/// ```
///
/// A document has one row. It has none if it does not satisfy the condition, or if the first expression of the key is
/// MISSING. Other MISSING parts of the key are null. For several rows per document, and for other maps, see ``View``.
public struct ViewConfiguration: IndexConfiguration, Hashable, Codable {
  /// The kind of the map: `sql++`, or `swift` for a map function that the program sets with
  /// ``View/setMap(version:reduce:_:)``.
  let map: String

  /// The key: an SQL++ expression. Several expressions, with commas, are an array.
  public let key: String?

  /// The value: an SQL++ expression, or `*` for the document. Nil for no value.
  public let value: String?

  /// The condition of documents in the view, in SQL++; nil for all documents.
  public let `where`: String?

  /// The name of the reduce: `_sum`, `_count`, `_stats` or `_approx_count_distinct`; nil for none.
  public let reduce: String?

  /// The version of a map function in Swift.
  let version: String?

  /// Creates the definition of a view.
  ///
  /// - Parameters:
  ///   - key: the key, an SQL++ expression. Several expressions, with commas, are an array.
  ///   - value: the value, an SQL++ expression, or `*` for the document. Nil for no value.
  ///   - where: the condition of documents in the view, in SQL++; nil for all documents.
  ///   - reduce: the name of the reduce: `_sum`, `_count`, `_stats` or `_approx_count_distinct`; nil for none.
  public init(key: String, value: String? = nil, where: String? = nil, reduce: String? = nil) {
    map = ViewConfiguration.expressions
    self.key = key
    self.value = value
    self.where = `where`
    self.reduce = reduce
    version = nil
  }

  /// Creates the definition of a view with a map function in Swift.
  init(version: String, reduce: String?) {
    map = ViewConfiguration.function
    key = nil
    value = nil
    `where` = nil
    self.reduce = reduce
    self.version = version
  }

  static let expressions = "sql++"
  static let function = "swift"
  /// The reduce of a view whose reduce is a function in Swift.
  static let reduceFunction = "swift"

  /// Whether the map is a function of the program.
  var isFunction: Bool { map == ViewConfiguration.function }

  /// The text of the definition for lists of indexes.
  var expressionTexts: [String] { [key, value].compactMap { $0 } + [reduce].compactMap { $0 } }

  /// The stored partial results are those of this reduce; nil if none are stored.
  var builtInReduce: BuiltInReduce? { reduce.flatMap { BuiltInReduce(rawValue: $0) } }

  func definition() throws -> ViewDefinition { try ViewDefinition(self) }
}

/// The parsed definition of a view.
struct ViewDefinition: Sendable {
  let configuration: ViewConfiguration
  /// The parts of the key.
  let key: [QueryExpression]
  /// Whether ``key`` are the elements of an array.
  let keyIsArray: Bool
  let value: QueryExpression?
  /// Whether the value is the document.
  let valueIsDocument: Bool
  let condition: QueryExpression?

  /// - Throws: ``CBLError/invalidQuery`` for expressions that are not valid, ``CBLError/invalidParameter`` for another
  ///   definition that is not valid.
  init(_ configuration: ViewConfiguration) throws {
    self.configuration = configuration
    if let reduce = configuration.reduce, configuration.builtInReduce == nil {
      guard configuration.isFunction, reduce == ViewConfiguration.reduceFunction else {
        let known = BuiltInReduce.allCases.map(\.rawValue).joined(separator: ", ")
        throw CBLError(CBLError.invalidParameter, "there is no reduce \"\(reduce)\"; use one of \(known)")
      }
    }
    if configuration.isFunction {
      (key, keyIsArray, value, valueIsDocument, condition) = ([], false, nil, false, nil)
      return
    }
    guard configuration.map == ViewConfiguration.expressions, let text = configuration.key else {
      throw CBLError(
        CBLError.invalidParameter, "a view of this version has the map \"sql++\" with a key, or the map \"swift\"")
    }
    var parts: [QueryExpression] = []
    if case .array(let elements) = try withPublicErrors({ try SQLParser().parseExpression("[\(text)]") }) {
      parts = elements
    }
    guard !parts.isEmpty else {
      throw CBLError(
        CBLError.invalidParameter,
        "the key \"\(text)\" of a view is not a list of SQL++ expressions, such as type, city")
    }
    key = parts
    keyIsArray = parts.count > 1
    valueIsDocument = configuration.value == "*"
    value = valueIsDocument ? nil : try IndexExpressions.condition(configuration.value)
    condition = try IndexExpressions.condition(configuration.where)
    let (key, value, condition) = (key, value, condition)
    try withPublicErrors { try DocumentMapper.check(key: key, value: value, condition: condition) }
  }
}
