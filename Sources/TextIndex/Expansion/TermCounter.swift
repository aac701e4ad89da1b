public import JSONText
import TextAnalysis

/// How often the terms of a document stand in it.
public struct TermCounts: Sendable {
  /// For each term, as a query looks for it, how often. Function words are left out.
  var counts: [QueriedTerm: Int] = [:]
  /// How many terms the text has, function words too.
  var length = 0
}

/// A term as a query looks for it: its stem, and where stems depend on accents, the word itself as well.
struct QueriedTerm: Hashable, Sendable {
  let forms: [String]

  var phrase: CompiledPhrase { CompiledPhrase(positions: [forms]) }
  var match: CompiledMatch { .phrase(phrase) }
}

/// Counts the terms of documents the way queries ask for them, so that a word of a document can become one of a query.
///
/// It belongs to one thread at a time.
public final class TermCounter {
  private let walker: FieldWalker
  private let columns: [Int]
  private let analyzer: Analyzer
  private let tokenizer: Tokenizer

  /// How much of a document is looked at, in bytes of its text.
  static let textLimit = 64 << 10

  /// - Parameters:
  ///   - index: whose fields and analyzer.
  ///   - fields: the names of the fields to look at; nil for all.
  /// - Throws: ``TextIndexError`` for an unknown field.
  public init(_ index: InvertedIndex, fields: [String]? = nil) throws {
    try index.requireCurrent()
    walker = FieldWalker(index.definition, tracksPaths: false)
    columns = try fields.map { try $0.map { try index.requiredColumn($0) } } ?? Array(index.definition.fields.indices)
    analyzer = index.analyzer
    tokenizer = analyzer.takeTokenizer()
  }

  deinit { analyzer.giveBack(tokenizer) }

  /// The terms of a parsed document.
  ///
  /// - Complexity: O(n) in the length of the text, of which no more than 64 KiB are looked at.
  public func count(_ root: JSONElement) throws -> TermCounts {
    var result = TermCounts()
    var rest = TermCounter.textLimit
    for column in columns {
      try walker.forEachText(of: column, in: root) { bytes, _ in
        let text = String(decoding: bytes.prefix(rest), as: UTF8.self)
        rest = max(0, rest - bytes.count)
        for term in tokenizer.queryTerms(text, prefix: false) {
          result.length += 1
          // A lone ideograph is looked for as a prefix: not a term that can be counted.
          if !term.isFunctionWord, !term.isPrefix { result.counts[QueriedTerm(forms: term.forms), default: 0] += 1 }
        }
      }
    }
    return result
  }
}

@available(*, unavailable)
extension TermCounter: Sendable {}
