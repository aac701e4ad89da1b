public import JSONText
import TextAnalysis

/// The term frequencies of a document.
public struct TermCounts: Sendable {
  /// For each term, as a query looks for it, how often. Function words are left out.
  var counts: [QueriedTerm: Int] = [:]
  /// How many terms the text has, function words too.
  var length = 0
}

/// A term as a query looks for it: its stem, and where stems depend on accents, the word itself as well. Where fields are
/// analysed in different ways, also what the other fields make of it.
struct QueriedTerm: Hashable, Sendable {
  /// The term.
  let text: String
  let match: CompiledMatch
}

/// Counts the terms of documents the way queries ask for them, so that a word of a document can become one of a query.
///
/// It belongs to one thread at a time.
public final class TermCounter {
  private let walker: FieldWalker
  private let columns: [Int]
  private let tokenizers: GroupTokenizers
  private let everywhere: ColumnScope

  /// How much of a document is looked at, in bytes of its text.
  static let textLimit = 64 << 10

  /// - Parameters:
  ///   - index: whose fields and analyzer.
  ///   - fields: the names of the fields to look at; nil for all.
  /// - Throws: ``TextIndexError`` for an unknown field.
  public init(_ index: StoredFullTextIndex, fields: [String]? = nil) throws {
    try index.requireCurrent()
    walker = FieldWalker(index.definition, tracksPaths: false)
    columns = try fields.map { try $0.map { try index.requiredColumn($0) } } ?? Array(index.definition.fields.indices)
    tokenizers = GroupTokenizers(index)
    everywhere = ColumnScope(index.groups)
  }

  /// The terms of a parsed document.
  ///
  /// - Complexity: O(n) in the length of the text, of which no more than 64 KiB are looked at.
  public func count(_ root: JSONElement) throws -> TermCounts {
    var result = TermCounts()
    var rest = TermCounter.textLimit
    var found: [[[String]: Int]] = Array(repeating: [:], count: tokenizers.groups.count)
    for column in columns {
      let group = tokenizers.group(ofColumn: column)
      let tokenizer = tokenizers[group]
      try walker.forEachText(of: column, in: root) { bytes, _ in
        let text = String(decoding: bytes.prefix(rest), as: UTF8.self)
        rest = max(0, rest - bytes.count)
        for term in tokenizer.queryTerms(text, prefix: false) {
          result.length += 1
          // A lone ideograph is looked for as a prefix: not a term that can be counted.
          if !term.isFunctionWord, !term.isPrefix { found[group][term.forms, default: 0] += 1 }
        }
      }
    }
    for (group, counts) in found.enumerated() {
      for (forms, count) in counts { result.counts[queriedTerm(forms, of: group), default: 0] += count }
    }
    return result
  }

  /// A term of a group, and what the other groups make of it. The last form is the word, where that is known.
  private func queriedTerm(_ forms: [String], of group: Int) -> QueriedTerm {
    let variants = tokenizers.groups.indices.map { other -> CompiledMatch in
      if other == group { return .phrase(CompiledPhrase(positions: [forms])) }
      let terms = tokenizers[other].queryTerms(forms[forms.count - 1], prefix: false)
      return terms.count == 1 ? .phrase(CompiledPhrase(terms)) : .nothing
    }
    return QueriedTerm(text: forms[0], match: everywhere.union(variants))
  }
}

@available(*, unavailable)
extension TermCounter: Sendable {}
