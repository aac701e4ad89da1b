public import JSONText
import TextAnalysis

/// The term frequencies of a document.
public struct TermCounts: Sendable {
  /// The frequency of each term, in the form that queries use. Function words are excluded.
  var counts: [QueriedTerm: Int] = [:]
  /// The number of terms of the text, including function words.
  var length = 0
}

/// A term in the form that queries use: its stem and, if stems depend on accents, the word itself. If fields have
/// different analyzers, it also includes the forms in the other fields.
struct QueriedTerm: Hashable, Sendable {
  /// The term.
  let text: String
  let match: CompiledMatch
}

/// Counts the terms of documents in the form that queries use, so that they can be added to a query.
///
/// It must be used by one thread at a time.
public final class TermCounter {
  private let walker: FieldWalker
  private let columns: [Int]
  private let tokenizers: GroupTokenizers
  private let everywhere: ColumnScope

  /// The maximum number of bytes of text that are analyzed per document.
  static let textLimit = 64 << 10

  /// - Parameters:
  ///   - index: the index whose fields and analyzers are used.
  ///   - fields: the names of the fields to analyze; nil for all.
  /// - Throws: ``TextIndexError`` for an unknown field.
  public init(_ index: StoredFullTextIndex, fields: [String]? = nil) throws {
    try index.requireCurrent()
    walker = FieldWalker(index.definition, tracksPaths: false)
    columns = try fields.map { try $0.map { try index.requiredColumn($0) } } ?? Array(index.definition.fields.indices)
    tokenizers = GroupTokenizers(index)
    everywhere = ColumnScope(index.groups)
  }

  /// Counts the terms of a parsed document.
  ///
  /// - Parameter root: the root of the parsed document.
  /// - Complexity: O(n) in the length of the text, of which at most 64 KiB are analyzed.
  public func count(_ root: JSONElement) throws -> TermCounts {
    var result = TermCounts()
    var rest = TermCounter.textLimit
    var found: [[[String]: Int]] = Array(repeating: [:], count: tokenizers.groups.count)
    for column in columns {
      let group = tokenizers.group(ofColumn: column)
      let tokenizer = tokenizers[group]
      try walker.forEachText(of: column, in: root) { bytes, _ in
        guard rest > 0 else { return }
        let text = String(decoding: TermCounter.beginning(of: bytes, rest), as: UTF8.self)
        rest = max(0, rest - bytes.count)
        for term in tokenizer.queryTerms(text, prefix: false) {
          result.length += 1
          // A single ideograph is searched for as a prefix, which is not a countable term.
          if !term.isLanguageStopWord, !term.isPrefix { found[group][term.forms, default: 0] += 1 }
        }
      }
    }
    for (group, counts) in found.enumerated() {
      for (forms, count) in counts { result.counts[queriedTerm(forms, of: group), default: 0] += count }
    }
    return result
  }

  /// Returns at most `limit` bytes of a text. They end before a space, so that the last word is whole, or if there is
  /// none within the length of a term, between two characters.
  private static func beginning(of text: UnsafeRawBufferPointer, _ limit: Int) -> UnsafeRawBufferPointer {
    guard text.count > limit else { return text }
    let lowest = max(0, limit - TokenBuffer.maximumTermLength)
    var end = limit
    while end > lowest, text[end] > 0x20 { end -= 1 }
    if text[end] > 0x20 {
      end = limit
      while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return UnsafeRawBufferPointer(rebasing: text[..<end])
  }

  /// Returns the forms of a term in its group and in the other groups. The last form is the word itself if it is known.
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
