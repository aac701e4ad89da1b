import DocumentStore
import QueryModel
import TextIndex

/// A query that may name a file: by its path, the end of its path, or the last folders and the name without the
/// extension.
///
/// | typed | names |
/// |---|---|
/// | `kernel/sched/core.c`, `sched/core.c`, `core.c` | `kernel/sched/core.c` |
/// | `sched core` | `kernel/sched/core.c`, `sched/core.h` |
/// | `core` | nothing: a single word is searched for in the text |
///
/// A file whose name, or the end of whose path, is exactly the typed text comes first. Several such files are sorted by
/// the number of folders, then by the length of the path.
///
/// Files that a query names come first regardless of their scores. BM25 does not ensure this: a long file with many
/// occurrences of the words scores lower than a short one that mentions its path.
struct PathQuery {
  private static let field = "path"
  /// If the paths of more documents than this contain the words, they are not treated as a file name.
  private static let maximumCandidateCount = 500
  /// The maximum number of candidates if the query is a single string, because many files may share a name such as
  /// `__init__.py`. Reading their ids takes a few milliseconds.
  private static let maximumNamesakeCount = 10_000
  /// A query with more words is treated as a sentence.
  private static let maximumWordCount = 12

  private let match: MatchQuery
  private let words: [String]
  /// The components of the typed path if it is a single string; nil otherwise.
  private let typedPath: [Substring]?

  /// Returns nil for a query that does not name a file, and for an index without paths.
  ///
  /// - Parameter fields: the fields that are searched; nil for all.
  init?(_ query: MatchQuery?, fields: [String]?, in index: StoredFullTextIndex) {
    guard index.definition.fields.contains(where: { $0.name == Self.field }), fields?.contains(Self.field) ?? true
    else { return nil }
    switch query {
    case .phrase(let phrase)?: match = .phrase(phrase)
    case .words(let phrases)?: match = .words(phrases)
    case .fields(let filter, let operand)? where !filter.isExcluding && filter.names.map(\.name) == [Self.field]:
      match = operand
    default: return nil
    }
    let phrases = match.phrases
    guard phrases.allSatisfy({ !$0.isPrefix && !$0.isFuzzy }) else { return nil }
    words = phrases.flatMap { $0.parts.flatMap { Self.words(of: $0.text) } }
    guard (2...Self.maximumWordCount).contains(words.count) else { return nil }
    let parts = phrases.flatMap(\.parts)
    typedPath = parts.count == 1 ? parts[0].text.split(separator: "/").filter { $0 != "." } : nil
  }

  /// The rows of the documents that the query names, closest first.
  func rows(in index: IndexReader, of reader: DocumentReader) throws -> [Int64] {
    let query = try FullTextQuery(match, fields: [Self.field], skippingEmptyOperands: true, in: index)
    let candidates = try query.matches(index).rows().rows
    guard candidates.count <= (typedPath == nil ? Self.maximumCandidateCount : Self.maximumNamesakeCount) else {
      return []
    }
    let ids = try reader.ids(ofRows: candidates)
    let named = candidates.compactMap { row in ids[row].flatMap(closeness).map { (row: row, closeness: $0) } }
    return named.sorted { $0.closeness < $1.closeness }.map(\.row)
  }

  /// How closely a path matches the query; nil if the query does not name this path.
  private func closeness(of path: String) -> Closeness? {
    let components = path.split(separator: "/")
    if let exact = typedPath.flatMap({ Self.exactForm(of: $0, at: components) }) {
      return Closeness(form: exact, path: path, componentCount: components.count)
    }
    let all = Self.words(of: path)
    let extensionText = path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) }
    let extensionWordCount = extensionText.map { Self.words(of: $0).count } ?? 0
    let hasExtension = all.suffix(words.count) == words[...]
    guard hasExtension || all.dropLast(extensionWordCount).suffix(words.count) == words[...] else { return nil }
    let wordsByComponent = components.map { Self.words(of: String($0)) }
    let typedCount = words.count + (hasExtension ? 0 : extensionWordCount)
    var wordCount = 0
    let isWhole = wordsByComponent.reversed().contains { words in
      wordCount += words.count
      return wordCount == typedCount
    }
    let form: Closeness.Form =
      hasExtension
      ? (isWhole ? .wholeNames : .partOfName) : isWhole ? .wholeNamesWithoutExtension : .partOfNameWithoutExtension
    return Closeness(form: form, path: path, componentCount: components.count)
  }

  /// Returns `exact` or `exactButForCase` if the end of a path equals the typed path; nil otherwise.
  private static func exactForm(of typed: [Substring], at components: [Substring]) -> Closeness.Form? {
    let end = components.suffix(typed.count)
    if end.elementsEqual(typed) { return .exact }
    return end.elementsEqual(typed, by: { $0.lowercased() == $1.lowercased() }) ? .exactButForCase : nil
  }

  /// The runs of letters and digits, in lower case.
  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

/// How closely a path matches a query; smaller is closer.
private struct Closeness: Comparable {
  enum Form: Int {
    case exact
    case exactButForCase
    /// The folders and the file name consist of exactly the typed words: `sched core.c` for `sched/core.c`.
    case wholeNames
    /// The first matching name contains more words than were typed: `my_argparse.py` for `argparse.py`.
    case partOfName
    case wholeNamesWithoutExtension
    case partOfNameWithoutExtension
  }

  let form: Form
  let path: String
  let componentCount: Int

  /// Of equal forms, the path with fewer folders is closer, then the shorter one.
  private var key: (Int, Int, Int) { (form.rawValue, componentCount, path.utf8.count) }

  static func < (one: Closeness, other: Closeness) -> Bool {
    one.key == other.key ? one.path < other.path : one.key < other.key
  }
}
