public import JSONText
import PatternMatching

/// The trigrams of a document for one pattern index, three bytes each, one behind the other. Made on one thread, written by another.
public struct DocumentTrigrams: Hashable, Sendable {
  let bytes: [UInt8]
}

/// Gathers the trigrams of documents for one index. It belongs to one thread at a time.
public final class TrigramAnalysis {
  private let walker: FieldWalker
  private let fieldCount: Int
  private let collector = TrigramCollector()

  /// Analyses for an index.
  public init(_ index: PatternIndex) {
    walker = FieldWalker(
      index.definition.fields, skipsFiles: index.definition.skipsFilesInEveryOtherString, tracksPaths: false)
    fieldCount = index.definition.fields.count
  }

  /// The trigrams of a parsed document.
  public func analyze(_ root: JSONElement) throws -> DocumentTrigrams {
    defer { collector.removeAll() }
    for field in 0..<fieldCount {
      try walker.forEachText(of: field, in: root) { text, _ in collector.add(text) }
    }
    return collector.withTrigrams { trigrams in
      let bytes = [UInt8](unsafeUninitializedCapacity: 3 * trigrams.count) { buffer, count in
        for trigram in trigrams {
          buffer[count] = UInt8(truncatingIfNeeded: trigram.rawValue >> 16)
          buffer[count + 1] = UInt8(truncatingIfNeeded: trigram.rawValue >> 8)
          buffer[count + 2] = UInt8(truncatingIfNeeded: trigram.rawValue)
          count += 3
        }
      }
      return DocumentTrigrams(bytes: bytes)
    }
  }
}

@available(*, unavailable)
extension TrigramAnalysis: Sendable {}
