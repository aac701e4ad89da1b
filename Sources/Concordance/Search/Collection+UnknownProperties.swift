import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import QueryModel

extension Collection {
  /// Returns the properties that a search refers to but that no document of the collection contains. They are probably
  /// misspelt.
  ///
  /// A search refers to properties in ``SearchRequest/where``, ``SearchRequest/sort``, ``SearchRequest/facets`` and
  /// ``SearchRequest/selections``.
  ///
  /// ```swift
  /// if results.hits.isEmpty { print(try hotels.unknownProperties(of: request)) }   // [contry; suggestion: country]
  /// ```
  ///
  /// - Parameter request: the search.
  /// - Throws: the same errors as ``search(_:)-(SearchRequest)`` for the condition and the order;
  ///   ``CBLError/timeout`` after ``SearchRequest/timeout``, which begins again.
  /// - Complexity: for each property, reads documents until one contains the property, or all documents if none does.
  public func unknownProperties(of request: SearchRequest) throws -> [UnknownProperty] {
    try withPublicErrors {
      try Deadline.run(request.timeout, of: "search") {
        try engine.store.readIndexes { db in
          let index = try fullTextIndex(named: request.index, db).name
          let schema = try engine.schema(of: record, db)
          let compiler = SearchCompiler(record: record, index: index, schema: schema)
          return try PropertyNames(record, schema, db).unknown(among: request.propertyPaths(compiler.source))
        }
      }
    }
  }
}

extension SearchRequest {
  /// Returns the distinct paths of the properties that the request refers to, each up to its first array.
  fileprivate func propertyPaths(_ source: QuerySource) throws -> [PropertyPath] {
    var paths: [PropertyPath] = []
    func add(_ path: PropertyPath) {
      let path = PropertyPath(path.components.prefix { $0 != .each })
      if !path.components.isEmpty, !paths.contains(path) { paths.append(path) }
    }
    let queries = [try `where`?.query(over: source), try sort?.query(over: source)].compactMap { $0 }
    for expression in queries.flatMap(\.expressions) {
      expression.visit { if case .property(let path, _) = $0 { add(path) } }
    }
    for name in facets.map(\.property) + selections.keys.sorted() { add(try PropertyPath(name)) }
    return paths
  }
}
