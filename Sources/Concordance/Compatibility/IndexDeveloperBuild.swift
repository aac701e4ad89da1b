import JSONText
import QueryCompiler
import QueryModel

// Indexes as Couchbase Lite 2 made them, where a database was one collection; in its first developer builds by their
// expressions, without a name.

/// What kind of index to create.
public enum IndexOptions: Hashable, Sendable {
  /// An index over values.
  case valueIndex
  /// A full-text index.
  ///
  /// - Parameters:
  ///   - language: the language whose inflections are ignored; nil for none.
  ///   - ignoreDiacritics: whether accents are ignored.
  case fullTextIndex(language: String?, ignoreDiacritics: Bool)
}

extension Collection {
  /// Creates an index of expressions, called as they are in SQL++, joined by commas.
  ///
  /// ```swift
  /// try people.createIndex(["type", "age"])                                        // "type,age"
  /// try people.createIndex([Function.lower(Expression.property("name"))])          // "LOWER(name)"
  /// try people.createIndex([["LOWER()", [".name"]], "age"])                        // "LOWER(name),age"
  /// ```
  ///
  /// - Parameters:
  ///   - expressions: what is indexed, the most important first: the path of a property or SQL++ as a string, an expression
  ///     of the query builder, or an array, which is the JSON form of an expression. All three may stand side by side.
  ///   - options: the kind of the index. A full-text index takes properties alone.
  /// - Throws: ``CBLError/invalidQuery`` for what is no expression, or cannot be indexed.
  /// - Complexity: O(n log n) in the number of documents; O(n) in their text for a full-text index.
  public func createIndex(_ expressions: [Any], options: IndexOptions = .valueIndex) throws {
    let parts = try expressions.map { try IndexPart($0) }
    switch options {
    case .valueIndex:
      try withPublicErrors {
        try createIndex(
          IndexPart.name(of: parts), ValueIndexDefinition(expressions: try parts.map { try $0.value() }))
      }
    case .fullTextIndex(let language, let ignoreDiacritics):
      let config = FullTextIndexConfiguration(
        try parts.map { try $0.field() }, ignoreAccents: ignoreDiacritics, language: language)
      try createIndex(withName: IndexPart.name(of: parts), config: config)
    }
  }

  /// Deletes the index that ``createIndex(_:options:)`` made of these expressions; does nothing when there is none.
  ///
  /// - Throws: ``CBLError/invalidQuery`` for what is no expression.
  public func deleteIndex(_ expressions: [Any]) throws {
    try deleteIndex(forName: IndexPart.name(of: expressions.map { try IndexPart($0) }))
  }
}

extension Database {
  /// Creates an index of the default collection from expressions. See ``Collection/createIndex(_:options:)``.
  public func createIndex(_ expressions: [Any], options: IndexOptions = .valueIndex) throws {
    try defaultCollection().createIndex(expressions, options: options)
  }

  /// Deletes the index that ``createIndex(_:options:)`` made of these expressions; does nothing when there is none.
  public func deleteIndex(_ expressions: [Any]) throws { try defaultCollection().deleteIndex(expressions) }

  /// Creates an index of the default collection. See ``Collection/createIndex(_:name:)``.
  public func createIndex(_ index: Index, withName name: String) throws {
    try defaultCollection().createIndex(index, name: name)
  }

  /// Deletes an index of the default collection; does nothing when there is none.
  public func deleteIndex(forName name: String) throws { try defaultCollection().deleteIndex(forName: name) }
}

/// One of the expressions that an index is made of.
private enum IndexPart {
  /// A path or SQL++, as it was given: the index is called so.
  case text(String)
  case model(QueryExpression)

  init(_ value: Any) throws {
    if let text = value as? String {
      self = .text(text)
    } else if let expression = value as? any ExpressionProtocol {
      let built = BuiltExpression(expression)
      if let fault = built.fault { throw fault }
      self = .model(built.model)
    } else if value is [Any] {
      self = .model(try withPublicErrors { try QueryPart(value, "createIndex").expression(of: .rows) })
    } else {
      throw CBLError(
        CBLError.invalidQuery,
        "createIndex takes strings, expressions of the query builder and arrays, the JSON form of expressions, "
          + "not a value of the type \(type(of: value))")
    }
  }

  /// What a value index holds of it.
  func value() throws -> QueryExpression {
    switch self {
    case .text(let text): try IndexExpressions.item(text)
    case .model(let model): model
    }
  }

  /// The path that a full-text index has as a field.
  func field() throws -> String {
    switch self {
    case .text(let text): return text
    case .model(.property(let path, _)): return path.description
    case .model(let model):
      throw CBLError(
        CBLError.invalidQuery, "a full-text index holds properties, not \(SQLPrinter().text(of: model))")
    }
  }

  static func name(of parts: [IndexPart]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .model(let model): SQLPrinter().text(of: model)
      }
    }.joined(separator: ",")
  }
}
