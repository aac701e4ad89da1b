import QueryModel
import TextIndex

/// A query that may be a name that source code defines. The files that define the name come first.
///
/// | typed | defined name |
/// |---|---|
/// | `kmalloc`, `struct list_head` | `kmalloc`, `list_head` |
/// | `pci restore state` | `pci_restore_state` |
/// | `clear hub feature` | `ClearHubFeature`, `clearHubFeature` |
///
/// BM25 does not rank a definition above uses: the definition is only one of many occurrences in a long file. The words
/// of a joined name need not occur separately in the text, so documents with the joined name are added to those that
/// match the words.
struct DefinitionQuery {
  /// The field with the names that a source file defines.
  static let field = "symbols"
  /// The joined forms of longer queries are not looked up: few names have more parts.
  private static let maximumWordCount = 6
  /// If more files than this define a name, such as `main`, the name does not distinguish them, and they are ranked by
  /// their scores.
  private static let maximumDefinitionCount = 100
  /// Words that may precede a name but are not part of it.
  private static let keywords: Set = [
    "class", "def", "enum", "fn", "func", "function", "interface", "macro", "protocol", "struct", "trait", "type",
    "typedef", "union",
  ]

  /// The documents that contain the name.
  private let name: MatchQuery
  /// Whether the name was typed as several words, so that it differs from the typed form.
  private let isJoined: Bool
  private let fields: [String]?

  /// Returns nil if the index has no defined names, or for a query that is not a word or a list of words.
  ///
  /// - Parameter fields: the fields that are searched; nil for all.
  init?(_ query: MatchQuery?, fields: [String]?, in index: StoredFullTextIndex) {
    guard index.definition.fields.contains(where: { $0.name == Self.field }), fields?.contains(Self.field) ?? true
    else { return nil }
    let phrases: [MatchPhrase]
    switch query {
    case .phrase(let phrase)?: phrases = [phrase]
    case .words(let words)?: phrases = words
    default: return nil
    }
    guard phrases.count <= Self.maximumWordCount else { return nil }
    var words = phrases.compactMap(Self.word)
    guard words.count == phrases.count else { return nil }
    if words.count > 1, Self.keywords.contains(words[0].lowercased()) { words.removeFirst() }
    self.fields = fields
    isJoined = words.count > 1
    name =
      isJoined
      ? .or([words.joined(separator: "_"), words.joined()].map { .phrase(.quoted($0)) })
      : .phrase(.quoted(words[0]))
  }

  /// Returns the text of a bare word that consists of letters, digits and underscores; nil for any other phrase.
  private static func word(_ phrase: MatchPhrase) -> String? {
    guard phrase.isBareWord, !phrase.isPrefix, !phrase.isFuzzy, !phrase.isInitial else { return nil }
    let text = phrase.parts[0].text
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? text : nil
  }

  /// Returns the rows of the files that define the name, in ascending order; empty if there are too many.
  func rows(in reader: IndexReader) throws -> [Int64] {
    let rows = try FullTextQuery(name, fields: [Self.field], in: reader).matches(reader).rows().rows
    return rows.count <= Self.maximumDefinitionCount ? rows : []
  }

  /// Returns the query for documents that contain the joined name; nil if there is none.
  func joinedQuery(in reader: IndexReader) throws -> FullTextQuery? {
    isJoined ? try FullTextQuery(name, fields: fields, in: reader) : nil
  }
}
