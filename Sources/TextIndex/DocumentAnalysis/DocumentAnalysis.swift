public import JSONText
import TextAnalysis

/// The terms of a document, a column after the other, in the encoding that the index's tokenizer reads. Made on one
/// thread, written by another.
public struct AnalyzedDocument: Hashable, Sendable {
  /// The terms of all columns, as `TokenBuffer` encodes them.
  let stream: [UInt8]
  /// Where each column ends in the stream.
  let columnEnds: [Int]
  /// How many positions each column has: its length, as FTS5 counts it. One between two texts is among them.
  let lengths: [UInt32]

  func column(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : columnEnds[number - 1])..<columnEnds[number]
  }
}

/// Makes terms from documents for one index. It keeps a tokenizer and belongs to one thread at a time.
public final class DocumentAnalysis {
  private let walker: FieldWalker
  private let columnCount: Int
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()

  /// Analyses for an index.
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
