import TextIndex
import TrigramIndex

/// Describes a pattern index: the trigrams of properties, by which regular expressions and LIKE find documents without reading all of
/// them.
///
/// ```swift
/// try pages.createIndex(withName: "patterns", config: PatternIndexConfiguration(["title", "text"]))
/// let query = try database.createQuery("SELECT META().id FROM pages WHERE REGEXP_CONTAINS(text, 'spin_(un)?lock')")
/// ```
///
/// It holds each sequence of three bytes once a document, ASCII letters in lower case: about a tenth of the text. Queries use it
/// by themselves for conditions on its properties that say enough: a pattern such as `[0-9]{7,}` names no three bytes in a row.
public struct PatternIndexConfiguration: IndexConfiguration, Hashable {
  /// The properties: paths such as `name`, `geo.alt`, `reviews[].content`, or `*` for every string of a document that belongs to
  /// no other property of the index. Strings in arrays and dictionaries below a property belong to it.
  public let expressions: [String]

  /// Whether `*` leaves out documents that are whole files; see
  /// ``FullTextIndexConfiguration/skipsFilesInEveryOtherString``.
  public var skipsFilesInEveryOtherString = false

  /// Describes a pattern index over properties.
  public init(_ expressions: [String]) { self.expressions = expressions }

  func definition() throws -> PatternIndexDefinition {
    try PatternIndexDefinition(
      fields: expressions, skippingFilesInEveryOtherString: skipsFilesInEveryOtherString)
  }
}

extension PatternIndexConfiguration {
  init(_ definition: PatternIndexDefinition) {
    self.init(definition.fields.map(\.name))
    skipsFilesInEveryOtherString = definition.skipsFilesInEveryOtherString
  }
}

extension PatternIndexConfiguration: Codable {
  /// Reads a configuration.
  ///
  /// - Throws: `DecodingError`, or ``CBLError/invalidParameter`` for properties that make no sense.
  public init(from decoder: any Decoder) throws {
    self.init(try withPublicErrors { try PatternIndexDefinition(from: decoder) })
  }

  /// Writes the configuration as the database file holds it.
  public func encode(to encoder: any Encoder) throws {
    try withPublicErrors { try definition() }.encode(to: encoder)
  }
}

/// A pattern index to create, made by ``IndexBuilder/patternIndex(items:)-([PatternIndexItem])``.
///
/// `@unchecked Sendable`: it needs no lock, since its properties are constants.
public final class PatternIndex: Index, @unchecked Sendable {
  let configuration: PatternIndexConfiguration

  init(configuration: PatternIndexConfiguration) { self.configuration = configuration }
}

/// A property in a ``PatternIndex``.
public struct PatternIndexItem: Hashable, Sendable {
  let property: String

  /// The property at a path: `name`, `geo.alt`, `reviews[].content`.
  public static func property(_ property: String) -> PatternIndexItem { PatternIndexItem(property: property) }
}

extension IndexBuilder {
  /// An index for regular expressions and LIKE.
  ///
  /// ```swift
  /// try pages.createIndex(IndexBuilder.patternIndex(items: PatternIndexItem.property("text")), name: "patterns")
  /// ```
  public static func patternIndex(items: PatternIndexItem...) -> PatternIndex { patternIndex(items: items) }

  /// An index for regular expressions and LIKE.
  public static func patternIndex(items: [PatternIndexItem]) -> PatternIndex {
    PatternIndex(configuration: PatternIndexConfiguration(items.map(\.property)))
  }
}
