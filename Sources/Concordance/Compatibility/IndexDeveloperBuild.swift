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

extension Database {
  /// Creates an index of the default collection, called as its expressions are, joined by commas.
  /// See ``Collection/createIndex(withName:config:)``.
  public func createIndex(_ expressions: [String], options: IndexOptions = .valueIndex) throws {
    let config: any IndexConfiguration =
      switch options {
      case .valueIndex: ValueIndexConfiguration(expressions)
      case .fullTextIndex(let language, let ignoreDiacritics):
        FullTextIndexConfiguration(expressions, ignoreAccents: ignoreDiacritics, language: language)
      }
    try defaultCollection().createIndex(withName: Self.indexName(expressions), config: config)
  }

  /// Deletes the index that ``createIndex(_:options:)`` made of these expressions; does nothing when there is none.
  public func deleteIndex(_ expressions: [String]) throws {
    try defaultCollection().deleteIndex(forName: Self.indexName(expressions))
  }

  /// Creates an index of the default collection. See ``Collection/createIndex(_:name:)``.
  public func createIndex(_ index: any Index, withName name: String) throws {
    try defaultCollection().createIndex(index, name: name)
  }

  /// Deletes an index of the default collection; does nothing when there is none.
  public func deleteIndex(forName name: String) throws { try defaultCollection().deleteIndex(forName: name) }

  private static func indexName(_ expressions: [String]) -> String { expressions.joined(separator: ",") }
}
