import JSONText
import MapReduce
import QueryCompiler
import QueryModel

/// The definition of a view whose map function consists of SQL++ expressions. It is stored in the file, so that every
/// program that opens the file can update and query the view.
///
/// ```swift
/// let config = ViewConfiguration(key: "type, city", value: "price", reduce: "_stats")
/// try hotels.createIndex(withName: "prices", config: config)
/// let rows = try hotels.view(named: "prices").createQuery().run()
/// ```
///
/// Each document emits one row; it emits none if it does not satisfy the condition, or if the first expression of the
/// key is MISSING. Other MISSING parts of the key become null. For several rows per document, and for map functions in
/// Swift, see ``View``.
public struct ViewConfiguration: IndexConfiguration, Hashable, Codable {
  /// The kind of map function: `sql++`, or `swift` for a map function that the program sets with
  /// ``View/setMap(version:reduce:_:)``.
  let map: String

  /// The key: an SQL++ expression. Several expressions separated by commas form an array.
  public let key: String?

  /// The value: an SQL++ expression, or `*` for the document. Nil for no value.
  public let value: String?

  /// The condition that documents in the view satisfy, in SQL++; nil for all documents.
  public let `where`: String?

  /// The name of the reduce function: `_sum`, `_count`, `_stats` or `_approx_count_distinct`; nil for none.
  public let reduce: String?

  /// The version of a map function in Swift.
  let version: String?

  /// Creates the definition of a view.
  ///
  /// - Parameters:
  ///   - key: the key, an SQL++ expression. Several expressions separated by commas form an array.
  ///   - value: the value, an SQL++ expression, or `*` for the document. Nil for no value.
  ///   - where: the condition that documents in the view satisfy, in SQL++; nil for all documents.
  ///   - reduce: the name of the reduce function: `_sum`, `_count`, `_stats` or `_approx_count_distinct`; nil for
  ///     none.
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
  /// The value of ``reduce`` if the reduce function is written in Swift.
  static let reduceFunction = "swift"

  /// Whether the map function is written in Swift.
  var isFunction: Bool { map == ViewConfiguration.function }

  /// The key, value and reduce function as text, for listings of indexes.
  var expressionTexts: [String] { [key, value].compactMap { $0 } + [reduce].compactMap { $0 } }

  /// The reduce function whose partial results are stored; nil if none are stored.
  var builtInReduce: BuiltInReduce? { reduce.flatMap { BuiltInReduce(rawValue: $0) } }

  func definition() throws -> ViewDefinition { try ViewDefinition(self) }
}

/// The parsed definition of a view.
struct ViewDefinition: Sendable {
  let configuration: ViewConfiguration
  /// The parts of the key.
  let key: [QueryExpression]
  /// Whether the key is an array whose elements are ``key``.
  let keyIsArray: Bool
  let value: QueryExpression?
  /// Whether the value is the document.
  let valueIsDocument: Bool
  let condition: QueryExpression?

  /// Parses a definition.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for invalid expressions, ``CBLError/invalidParameter`` if the definition is
  ///   invalid in another way.
  init(_ configuration: ViewConfiguration) throws {
    self.configuration = configuration
    if let reduce = configuration.reduce, configuration.builtInReduce == nil {
      guard configuration.isFunction, reduce == ViewConfiguration.reduceFunction else {
        let known = BuiltInReduce.allCases.map(\.rawValue).joined(separator: ", ")
        throw CBLError(CBLError.invalidParameter, "unknown reduce function \"\(reduce)\"; use one of \(known)")
      }
    }
    if configuration.isFunction {
      (key, keyIsArray, value, valueIsDocument, condition) = ([], false, nil, false, nil)
      return
    }
    guard configuration.map == ViewConfiguration.expressions, let text = configuration.key else {
      throw CBLError(
        CBLError.invalidParameter, "this version supports only views with map \"sql++\" and a key, or map \"swift\"")
    }
    key = try withPublicErrors { try SQLParser().parseExpressions(text) }
    keyIsArray = key.count > 1
    valueIsDocument = configuration.value == "*"
    value = valueIsDocument ? nil : try IndexExpressions.condition(configuration.value)
    condition = try IndexExpressions.condition(configuration.where)
    let (key, value, condition) = (key, value, condition)
    try withPublicErrors { try DocumentMapper.check(key: key, value: value, condition: condition) }
  }
}
