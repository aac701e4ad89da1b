import DocumentStore
import GRDB
import QueryModel
import TextIndex

/// A query that may name a file: its path, the end of it, or the last folders and the name without its ending.
///
/// | typed | names |
/// |---|---|
/// | `kernel/sched/core.c`, `sched/core.c`, `core.c` | `kernel/sched/core.c` |
/// | `sched core` | `kernel/sched/core.c`, `sched/core.h` |
/// | `core` | nothing: a word alone is searched for in the text |
///
/// Files that a query names come first whatever their scores. BM25 cannot do this: a long file that has the words everywhere scores
/// below a short one that mentions its path.
struct PathQuery {
  private static let field = "path"
  /// With more documents than these the words are not the name of a file.
  private static let maximumCandidateCount = 500
  /// More words are a sentence.
  private static let maximumWordCount = 12

  private let match: MatchQuery
  private let words: [String]

  /// Nil for a query that does not name a file, or an index without paths.
  ///
  /// - Parameter fields: the fields that are searched; nil for all.
  init?(_ query: MatchQuery?, fields: [String]?, in index: InvertedIndex) {
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
    guard phrases.allSatisfy({ !$0.isPrefix && !$0.isApproximate }) else { return nil }
    words = phrases.flatMap { $0.parts.flatMap { Self.words(of: $0.text) } }
    guard (2...Self.maximumWordCount).contains(words.count) else { return nil }
  }

  /// The rows of the documents that are named, the closest first.
  func rows(in index: InvertedIndex, of reader: DocumentReader, _ db: GRDB.Database) throws -> [Int64] {
    let query = try FullTextQuery(match, fields: [Self.field], skippingEmptyOperands: true, in: index, db)
    let candidates = try query.matches(db).unscored.rows
    guard candidates.count <= Self.maximumCandidateCount else { return [] }
    let ids = try reader.ids(ofRows: candidates)
    let named = candidates.compactMap { row in ids[row].flatMap(closeness).map { (row: row, closeness: $0) } }
    return named.sorted { ($0.closeness, $0.row) < ($1.closeness, $1.row) }.map(\.row)
  }

  /// How close a path is to what was typed, smaller for closer; nil for one that is not named.
  private func closeness(of path: String) -> Int? {
    let all = Self.words(of: path)
    let ending = path.lastIndex(of: ".").map { Self.words(of: String(path[path.index(after: $0)...])).count } ?? 0
    let hasEnding = all.suffix(words.count) == words[...]
    guard hasEnding || all.dropLast(ending).suffix(words.count) == words[...] else { return nil }
    // Whole names of folders and files before parts of them, whole names before those without endings, and short paths before long.
    let components = path.split(separator: "/").map { Self.words(of: String($0)) }
    let typedCount = words.count + (hasEnding ? 0 : ending)
    let isWhole = components.indices.contains { components[$0...].joined().count == typedCount }
    return (hasEnding ? 0 : 2000) + (isWhole ? 0 : 1000) + min(all.count, 999)
  }

  /// The runs of letters and digits, in small letters.
  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
