public import JSONText
import TextAnalysis

/// The terms of a document, column by column, in the encoding that the index's tokenizer reads. One thread may create
/// it and another write it to the index.
///
/// A class, because a copy of a structure retains each of its arrays, and imports pass documents on several times.
public final class AnalyzedDocument: Hashable, Sendable {
  /// The terms of all columns, as `TokenBuffer` encodes them.
  let stream: [UInt8]
  /// The end offset of each column in the stream.
  let columnEnds: [Int]
  /// The number of positions in each column: its length as FTS5 counts it, including one position between two strings.
  package let lengths: [UInt32]

  init(stream: [UInt8], columnEnds: [Int], lengths: [UInt32]) {
    self.stream = stream
    self.columnEnds = columnEnds
    self.lengths = lengths
  }

  /// The size of the terms in bytes.
  package var size: Int { stream.count }

  public static func == (first: AnalyzedDocument, second: AnalyzedDocument) -> Bool {
    first === second
      || first.stream == second.stream && first.columnEnds == second.columnEnds && first.lengths == second.lengths
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(stream)
    hasher.combine(columnEnds)
  }

  func column(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : columnEnds[number - 1])..<columnEnds[number]
  }

  /// Adds the terms to a table of postings, at the positions that FTS5 assigns to tokens of ``TermStreamTokenizer``.
  func addTerms(to postings: PostingsHash, row: Int64) {
    forEachOccurrence {
      postings.enqueue($0, row: row, column: $1, position: $2)
    } atEnd: {
      postings.addPending(row: row)
    }
  }

  /// Adds the removal of each term to a table of postings.
  func removeTerms(from postings: PostingsHash, row: Int64) {
    forEachOccurrence { term, _, _ in
      postings.enqueueRemoval(of: term, row: row)
    } atEnd: {
      postings.addPending(row: row)
    }
  }

  /// Calls `body` with each occurrence of a term and its position, including the boundaries between strings. The memory
  /// of the terms is valid until `atEnd` returns.
  @inline(__always)
  func forEachOccurrence(
    _ body: (_ term: UnsafeRawBufferPointer, _ column: Int, _ position: Int) -> Void, atEnd: () -> Void = {}
  ) {
    stream.withUnsafeBytes { stream in
      for column in columnEnds.indices {
        var start = self.column(column).lowerBound
        let end = self.column(column).upperBound
        var position = -1
        var isColocated = false
        while start < end {
          let next = min(end, TermStream.termEnd(in: stream, from: start))
          if next > start {
            if !isColocated || position < 0 { position += 1 }
            body(UnsafeRawBufferPointer(rebasing: stream[start..<next]), column, position)
          }
          isColocated = next < end && stream[next] == TokenBuffer.colocation
          start = next + 1
        }
      }
      atEnd()
    }
  }
}

/// Converts documents to terms for one index. It owns tokenizers and must be used by one thread at a time.
public final class DocumentAnalysis {
  private let walker: FieldWalker
  private let columnCount: Int
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()
  /// The terms of the current document. Its memory is used again, so that it does not grow step by step.
  private var stream: [UInt8] = []

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
    stream.removeAll(keepingCapacity: true)
    var ends: [Int] = []
    var lengths: [UInt32] = []
    ends.reserveCapacity(columnCount)
    lengths.reserveCapacity(columnCount)
    tokenizers.select(for: root)
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
    let copy = stream.withUnsafeBufferPointer { Array($0) }
    return AnalyzedDocument(stream: copy, columnEnds: ends, lengths: lengths)
  }
}

@available(*, unavailable)
extension DocumentAnalysis: Sendable {}
