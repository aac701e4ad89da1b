import TextIndex
import TrigramIndex

/// The definition of a pattern index. The index stores the trigrams of properties, so that regular expressions and LIKE
/// find documents without a full scan.
///
/// ```swift
/// try pages.createIndex(withName: "patterns", config: PatternIndexConfiguration(["title", "text"]))
/// let query = try database.createQuery("SELECT META().id FROM pages WHERE REGEXP_CONTAINS(text, 'spin_(un)?lock')")
/// ```
///
/// The index contains each sequence of three bytes once per document, with ASCII letters in lower case; its size is
/// about a tenth of the size of the text. Queries use it automatically for conditions on its properties if the pattern
/// requires literals of at least three bytes. The pattern `[0-9]{7,}` requires none.
public struct PatternIndexConfiguration: IndexConfiguration, Hashable {
  /// The properties: paths such as `name`, `geo.alt`, `reviews[].content`, or `*` for every string of a document that
  /// belongs to no other property of the index. Strings in arrays and dictionaries below a property belong to it.
  public let expressions: [String]

  /// The documents that `*` excludes; see ``FullTextIndexConfiguration/excludedFromOtherStrings``.
  public var excludedFromOtherStrings: DocumentShape?

  /// Creates the definition of a pattern index.
  ///
  /// - Parameter expressions: the paths of the properties.
  public init(_ expressions: [String]) { self.expressions = expressions }

  func definition() throws -> PatternIndexDefinition {
    try PatternIndexDefinition(
      fields: expressions, excludedFromOtherStrings: excludedFromOtherStrings)
  }
}

extension PatternIndexConfiguration {
  init(_ definition: PatternIndexDefinition) {
    self.init(definition.fields.map(\.name))
    excludedFromOtherStrings = definition.excludedFromOtherStrings
  }
}

extension PatternIndexConfiguration: Codable {
  /// Decodes a definition.
  ///
  /// - Throws: `DecodingError`; ``CBLError/invalidParameter`` for invalid properties.
  public init(from decoder: any Decoder) throws {
    self.init(try withPublicErrors { try PatternIndexDefinition(from: decoder) })
  }

  /// Encodes the definition in the form that is stored in the database file.
  ///
  /// - Throws: ``CBLError/invalidParameter`` if no index can be created from the definition.
  public func encode(to encoder: any Encoder) throws {
    try withPublicErrors { try definition() }.encode(to: encoder)
  }
}

/// The definition of a pattern index, created by ``IndexBuilder/patternIndex(items:)-([PatternIndexItem])``.
///
/// `@unchecked Sendable`: its properties are constants, so it needs no lock.
public final class PatternIndex: Index, @unchecked Sendable {
  let configuration: PatternIndexConfiguration

  init(configuration: PatternIndexConfiguration) { self.configuration = configuration }

  override func storedDefinition() throws -> any StoredIndexDefinition { try configuration.definition() }
}

/// A property in a ``PatternIndex``.
public struct PatternIndexItem: Hashable, Sendable {
  let property: String

  /// Creates an item for a property.
  ///
  /// - Parameter property: the path: `name`, `geo.alt`, `reviews[].content`.
  public static func property(_ property: String) -> PatternIndexItem { PatternIndexItem(property: property) }
}

extension IndexBuilder {
  /// Creates an index for regular expressions and LIKE.
  ///
  /// ```swift
  /// try pages.createIndex(IndexBuilder.patternIndex(items: PatternIndexItem.property("text")), name: "patterns")
  /// ```
  ///
  /// - Parameter items: the properties.
  public static func patternIndex(items: PatternIndexItem...) -> PatternIndex { patternIndex(items: items) }

  /// Creates an index for regular expressions and LIKE.
  ///
  /// - Parameter items: the properties.
  public static func patternIndex(items: [PatternIndexItem]) -> PatternIndex {
    PatternIndex(configuration: PatternIndexConfiguration(items.map(\.property)))
  }
}
