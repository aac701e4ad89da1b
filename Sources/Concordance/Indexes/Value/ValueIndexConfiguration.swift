import JSONText
import QueryCompiler
import QueryModel

/// The definition of an index over values.
///
/// ```swift
/// let config = ValueIndexConfiguration(["type", "LOWER(name)"], where: "stars > 3")
/// try hotels.createIndex(withName: "names", config: config)
/// ```
///
/// Queries that filter or sort by its leftmost expressions use it.
public struct ValueIndexConfiguration: IndexConfiguration, Hashable, Codable {
  /// The indexed values, each an SQL++ expression or the path of a property.
  public let expressions: [String]

  /// The condition that indexed documents satisfy, in SQL++; nil for all documents.
  public let `where`: String?

  /// Creates the definition of an index over values.
  ///
  /// - Parameters:
  ///   - expressions: the values, in the order of the index columns.
  ///   - where: the condition that indexed documents satisfy, in SQL++; nil for all documents.
  public init(_ expressions: [String], where: String? = nil) {
    self.expressions = expressions
    self.where = `where`
  }

  /// Returns the indexed expressions.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for text that is not an expression.
  func items() throws -> [QueryExpression] { try IndexExpressions.items(expressions) }

  /// Returns the condition that indexed documents satisfy; nil for all documents.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for text that is not an expression.
  func condition() throws -> QueryExpression? { try IndexExpressions.condition(`where`) }

  func definition() throws -> ValueIndexDefinition {
    try ValueIndexDefinition(expressions: items(), condition: condition())
  }
}

/// The definition of an index over the elements of an array, for queries with `UNNEST` and `ANY`.
///
/// ```swift
/// // [{"name": "Sam", "phones": [{"type": "home", "number": "1"}]}]
/// let config = ArrayIndexConfiguration(path: "contacts[].phones", expressions: ["type", "number"])
/// try people.createIndex(withName: "phones", config: config)
/// ```
public struct ArrayIndexConfiguration: IndexConfiguration, Hashable, Codable {
  /// The path of the array; `[]` selects every element of an outer array.
  public let path: String

  /// The indexed values of each element, each an SQL++ expression or the path of a property in the element; nil for the
  /// element itself. An empty list is an error.
  public let expressions: [String]?

  /// Creates the definition of an index over the elements of an array.
  ///
  /// - Parameters:
  ///   - path: the path of the array.
  ///   - expressions: the indexed values of each element; nil for the element itself.
  public init(path: String, expressions: [String]? = nil) {
    self.path = path
    self.expressions = expressions
  }

  /// Returns the path of the array, without a trailing `[]`, which has no effect.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for a path that cannot be parsed.
  func arrayPath() throws -> PropertyPath {
    var array = try withPublicErrors { try PropertyPath(path) }
    while array.components.last == .each { array.components.removeLast() }
    guard case .key? = array.components.first else {
      throw CBLError(CBLError.invalidParameter, "property path \"\(path)\": a path begins with a key")
    }
    return array
  }

  /// Returns the indexed expressions of each element; empty for the element itself.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for an empty list; ``CBLError/invalidQuery`` for text that is not an
  ///   expression.
  func items() throws -> [QueryExpression] {
    if let expressions, expressions.allSatisfy(\.isEmpty) {
      throw CBLError(
        CBLError.invalidParameter,
        "the array index over \"\(path)\" has an empty list of expressions; pass nil to index the elements themselves")
    }
    return try IndexExpressions.items(expressions ?? [])
  }

  func definition() throws -> ValueIndexDefinition {
    try ValueIndexDefinition(expressions: items(), path: arrayPath())
  }
}

/// Parses the expressions and conditions of index configurations.
enum IndexExpressions {
  /// Parses SQL++ expressions. Text that is not valid SQL++, such as `my name`, may be the path of a property.
  static func items(_ texts: [String]) throws -> [QueryExpression] { try texts.map(item) }

  static func condition(_ text: String?) throws -> QueryExpression? {
    guard let text, !text.isEmpty else { return nil }
    return try withPublicErrors { try SQLParser().parseExpression(text) }
  }

  /// Parses one SQL++ expression or property path.
  static func item(_ text: String) throws -> QueryExpression {
    do {
      return try SQLParser().parseExpression(text)
    } catch {
      // As in the other paths of index definitions, a backslash is an ordinary character.
      let property = BuiltExpression(path: text, readsEscapes: false) { path in .property(path, source: nil) }
      // Text that contains a comma, a quotation mark, parentheses or an operator is treated as SQL++.
      guard property.fault == nil, !text.utf8.contains(where: { ",()'\"$;+/%=<>!|".utf8.contains($0) }) else {
        throw CBLError.wrapping(error)
      }
      return property.model
    }
  }
}
