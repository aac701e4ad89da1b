public import JSONText
import TextAnalysis

/// Converts documents to terms for one index. It owns tokenizers and must be used by one thread at a time.
public final class DocumentAnalysis {
  private let walker: FieldWalker
  private let columnCount: Int
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()
  private var parts = Parts()
  /// The memory of the previous document.
  private var memory = TermMemory(capacity: 0)

  /// The arrays of a document. They are used again, so that they do not grow step by step.
  private struct Parts {
    var stream: [UInt8] = []
    var columnEnds: [Int] = []
    var lengths: [UInt32] = []

    mutating func removeAll() {
      stream.removeAll(keepingCapacity: true)
      columnEnds.removeAll(keepingCapacity: true)
      lengths.removeAll(keepingCapacity: true)
    }
  }

  /// Creates an analysis for an index.
  ///
  /// - Parameter index: the index whose fields and analyzers are used.
  public init(_ index: StoredFullTextIndex) {
    walker = FieldWalker(index.definition, tracksPaths: false)
    columnCount = index.definition.fields.count
    tokenizers = GroupTokenizers(index)
  }

  /// Returns the terms of a parsed document.
  ///
  /// - Parameter root: the root of the parsed document.
  public func analyze(_ root: JSONElement) throws -> AnalyzedDocument {
    // A local variable, because changing a property in place requires exclusivity checks.
    var parts = Parts()
    swap(&parts, &self.parts)
    defer { swap(&parts, &self.parts) }
    parts.removeAll()
    tokenizers.select(for: root)
    for column in 0..<columnCount {
      let start = parts.stream.count
      var length = 0
      let tokenizer = tokenizers.tokenizer(ofColumn: column)
      try walker.forEachText(of: column, in: root) { text, _ in
        buffer.removeAll()
        tokenizer.tokenize(text, into: buffer)
        guard !buffer.stream.isEmpty else { return }
        if parts.stream.count > start {
          parts.stream.append(contentsOf: TermStream.boundary)
          length += 1
        }
        parts.stream.append(contentsOf: buffer.stream)
        length += buffer.positionCount
      }
      parts.columnEnds.append(parts.stream.count)
      parts.lengths.append(UInt32(clamping: length))
    }
    return AnalyzedDocument(
      stream: parts.stream, columnEnds: parts.columnEnds, lengths: parts.lengths, in: &memory)
  }
}

@available(*, unavailable)
extension DocumentAnalysis: Sendable {}
