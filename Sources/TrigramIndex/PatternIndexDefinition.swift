import Foundation
import JSONText
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

extension PatternIndexDefinition: IndexDefinition {
  /// Reads a definition from JSON text.
  ///
  /// The current form is read without `JSONDecoder`, whose first use takes a twentieth of a process that searches for a
  /// rare pattern.
  init(json: String) throws {
    let current = try? JSONParser.withShared { parser in CurrentForm(try parser.parse(utf8: json)) }
    self =
      if let current {
        try PatternIndexDefinition(fields: current.fields, excludedFromOtherStrings: current.excluded)
      } else {
        try JSONDecoder().decode(PatternIndexDefinition.self, from: Data(json.utf8))
      }
  }

  /// The members of a definition in the current format.
  private struct CurrentForm {
    let fields: [String]
    let excluded: DocumentShape?

    /// Returns nil for any other form.
    init?(_ root: JSONElement) {
      guard let fields = root[Key.fields.rawValue].flatMap(CurrentForm.strings) else { return nil }
      self.fields = fields
      var count = 1
      if let shape = root["excluded"] {
        guard let strings = shape["strings"].flatMap(CurrentForm.strings),
          let members = shape["members"].flatMap(CurrentForm.strings)
        else { return nil }
        excluded = DocumentShape(strings: strings, members: members)
        count += 1
      } else {
        excluded = nil
      }
      var memberCount = 0
      root.forEachMember { _, _ in memberCount += 1 }
      guard memberCount == count else { return nil }
    }

    private static func strings(_ array: JSONElement) -> [String]? {
      guard array.kind == .array else { return nil }
      var strings: [String] = []
      var count = 0
      array.forEachElement { element in
        count += 1
        if let string = element.string { strings.append(string) }
      }
      return strings.count == count ? strings : nil
    }
  }
}
