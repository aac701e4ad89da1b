import JSONText
import QueryCompiler
import QueryModel

// The index functions of Couchbase Lite 2, in which a database had no collections. In its first developer builds,
// indexes were identified by their expressions and had no names.

/// The kind of an index that ``Collection/createIndex(_:options:)`` creates.
public enum IndexOptions: Hashable, Sendable {
  /// A value index.
  case valueIndex
  /// A full-text index.
  ///
  /// - Parameters:
  ///   - language: the language for stemming and stop words; nil for neither.
  ///   - ignoreDiacritics: whether diacritics are ignored.
  case fullTextIndex(language: String?, ignoreDiacritics: Bool)
}

extension Collection {
  /// Creates an index on expressions. Its name is the SQL++ text of the expressions, joined with commas, and begins
  /// with `value:` for a value index, so that a full-text index on the same properties can exist as well.
  ///
  /// ```swift
  /// try people.createIndex(["type", "age"])                                        // "value:type,age"
  /// try people.createIndex([Function.lower(Expression.property("name"))])          // "value:LOWER(name)"
  /// try people.createIndex([["LOWER()", [".name"]], "age"])                        // "value:LOWER(name),age"
  /// ```
  ///
  /// - Parameters:
  ///   - expressions: the expressions, the most significant first. An element is a string (the path of a property, or
  ///     SQL++), an expression of the query builder, or an array (the JSON form of an expression).
  ///   - options: the kind of the index. The expressions of a full-text index must be properties.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidQuery`` if an element is not an expression or cannot be indexed.
  ///   - The errors of ``createIndex(withName:config:)``.
  /// - Complexity: O(n log n) in the number of documents; O(n) in the length of their text for a full-text index.
  public func createIndex(_ expressions: [Any], options: IndexOptions = .valueIndex) throws {
    let parts = try expressions.map { try IndexPart($0) }
    switch options {
    case .valueIndex:
      try withPublicErrors {
        try createIndex(
          IndexPart.valueIndexName(of: parts), ValueIndexDefinition(expressions: try parts.map { try $0.value() }))
      }
    case .fullTextIndex(let language, let ignoreDiacritics):
      let config = FullTextIndexConfiguration(
        try parts.map { try $0.field() }, ignoreAccents: ignoreDiacritics, language: language)
      try createIndex(withName: IndexPart.name(of: parts), config: config)
    }
  }

  /// Deletes the value index and the full-text index that ``createIndex(_:options:)`` created on these expressions.
  /// Does nothing if there are none. If it throws, both remain.
  ///
  /// - Parameter expressions: the expressions that the indexes were created with.
  /// - Throws: ``CBLError``; ``CBLError/invalidQuery`` if an element is not an expression.
  public func deleteIndex(_ expressions: [Any]) throws {
    let parts = try expressions.map { try IndexPart($0) }
    try withPublicErrors {
      try engine.write { _ in
        try deleteIndex(forName: IndexPart.valueIndexName(of: parts))
        try deleteIndex(forName: IndexPart.name(of: parts))
      }
    }
  }
}

extension Database {
  /// Creates an index of the default collection on expressions. See ``Collection/createIndex(_:options:)``.
  ///
  /// - Parameters:
  ///   - expressions: the expressions, the most significant first.
  ///   - options: the kind of the index.
  /// - Throws: the same errors as ``Collection/createIndex(_:options:)``.
  public func createIndex(_ expressions: [Any], options: IndexOptions = .valueIndex) throws {
    try defaultCollection().createIndex(expressions, options: options)
  }

  /// Deletes the indexes that ``createIndex(_:options:)`` created on these expressions. Does nothing if there are none.
  ///
  /// - Parameter expressions: the expressions that the indexes were created with.
  /// - Throws: the same errors as ``Collection/deleteIndex(_:)``.
  public func deleteIndex(_ expressions: [Any]) throws { try defaultCollection().deleteIndex(expressions) }

  /// Creates an index of the default collection. See ``Collection/createIndex(_:name:)``.
  ///
  /// - Parameters:
  ///   - index: the definition of the index.
  ///   - name: the name of the index.
  /// - Throws: the same errors as ``Collection/createIndex(_:name:)``.
  public func createIndex(_ index: Index, withName name: String) throws {
    try defaultCollection().createIndex(index, name: name)
  }

  /// Deletes an index of the default collection. Does nothing if it does not exist.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: the same errors as ``Collection/deleteIndex(forName:)``.
  public func deleteIndex(forName name: String) throws { try defaultCollection().deleteIndex(forName: name) }
}

/// An expression of an index.
private enum IndexPart {
  /// A path or SQL++ text, kept as given because it is part of the name of the index.
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
        "createIndex accepts strings, query builder expressions and arrays (the JSON form of expressions), "
          + "not a value of type \(type(of: value))")
    }
  }

  /// The expression of a value index.
  func value() throws -> QueryExpression {
    switch self {
    case .text(let text): try IndexExpressions.item(text)
    case .model(let model): model
    }
  }

  /// The path of the field of a full-text index.
  func field() throws -> String {
    switch self {
    case .text(let text): return text
    case .model(.property(let path, _)): return path.description
    case .model(let model):
      throw CBLError(
        CBLError.invalidQuery, "a full-text index can only contain properties, not \(SQLPrinter().text(of: model))")
    }
  }

  /// The name of a value index. It differs from that of a full-text index, whose name queries use:
  /// `property.match("x")`.
  static func valueIndexName(of parts: [IndexPart]) -> String { "value:" + name(of: parts) }

  static func name(of parts: [IndexPart]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .model(let model): SQLPrinter().text(of: model)
      }
    }.joined(separator: ",")
  }
}
