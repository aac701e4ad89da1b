import SQLiteAccess
public import TextIndex

/// The definition of a pattern index: the properties whose strings it indexes. The catalog stores it as JSON.
public struct PatternIndexDefinition: Hashable, Sendable {
  /// The properties, represented as the fields of a full-text index.
  public let fields: [FullTextField]
  /// The documents whose field for all other strings stays empty; see `FullTextDefinition.excludedFromOtherStrings`.
  public let excludedFromOtherStrings: DocumentShape?

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - fields: names of fields, see `FullTextField.init(_:)`; no duplicates.
  ///   - excludedFromOtherStrings: the documents whose field for all other strings stays empty.
  /// - Throws: `TextIndexError` for an empty field list or a duplicate field; `PropertyPathError`.
  public init(fields: [String], excludedFromOtherStrings: DocumentShape? = nil) throws {
    self.fields = try fields.map { try FullTextField($0) }
    self.excludedFromOtherStrings = excludedFromOtherStrings
    guard !self.fields.isEmpty else { throw TextIndexError(.badDefinition, "a pattern index needs a property") }
    if let duplicate = self.fields.first(where: { field in self.fields.filter { $0.name == field.name }.count > 1 }) {
      throw TextIndexError(.badDefinition, "the property \"\(duplicate.name)\" is listed twice")
    }
  }
}

extension PatternIndexDefinition: Codable {
  private enum Key: String, CodingKey {
    // The key `fields` would identify a full-text index.
    case fields = "patterns"
  }

  /// Reads a definition.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      fields: container.decode([String].self, forKey: .fields),
      excludedFromOtherStrings: decoder.decodeExcludedFromOtherStrings())
  }

  /// Writes the definition.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fields.map(\.name), forKey: .fields)
    try encoder.encode(excludedFromOtherStrings: excludedFromOtherStrings)
  }
}

extension PatternIndexDefinition: IndexDefinition {}
