public import JSONText
import TextAnalysis

/// The terms of a document, column by column, in the encoding that the index's tokenizer reads. One thread creates it
/// and another writes it.
public struct AnalyzedDocument: Hashable, Sendable {
  /// The terms of all columns, as `TokenBuffer` encodes them.
  let stream: [UInt8]
  /// The end offset of each column in the stream.
  let columnEnds: [Int]
  /// The number of positions in each column: its length as FTS5 counts it, including the position between two texts.
  let lengths: [UInt32]

  func column(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : columnEnds[number - 1])..<columnEnds[number]
  }
}

/// Turns documents into terms for one index. It owns tokenizers and is used by one thread at a time.
public final class DocumentAnalysis {
  private let walker: FieldWalker
  private let columnCount: Int
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()

  /// Creates an analysis for an index.
  public init(_ index: StoredFullTextIndex) {
    walker = FieldWalker(index.definition, tracksPaths: false)
    columnCount = index.definition.fields.count
    tokenizers = GroupTokenizers(index)
  }

  /// The terms of a parsed document.
  public func analyze(_ root: JSONElement) throws -> AnalyzedDocument {
    var stream: [UInt8] = []
    var ends: [Int] = []
    var lengths: [UInt32] = []
    ends.reserveCapacity(columnCount)
    lengths.reserveCapacity(columnCount)
    for column in 0..<columnCount {
      let start = stream.count
      var length = 0
      let tokenizer = tokenizers.tokenizer(ofColumn: column)
      try walker.forEachText(of: column, in: root) { text, _ in
        buffer.removeAll()
        tokenizer.tokenize(text, into: buffer)
        guard !buffer.stream.isEmpty else { return }
        if stream.count > start {
          stream.append(contentsOf: TermStream.boundary)
          length += 1
        }
        stream.append(contentsOf: buffer.stream)
        length += buffer.positionCount
      }
      ends.append(stream.count)
      lengths.append(UInt32(clamping: length))
    }
    return AnalyzedDocument(stream: stream, columnEnds: ends, lengths: lengths)
  }
}

@available(*, unavailable)
extension DocumentAnalysis: Sendable {}
