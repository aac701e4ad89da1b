import TextAnalysis

/// The terms of a document, column by column, in the encoding that the index's tokenizer reads. One thread may create
/// it and another write it to the index.
///
/// A class, because imports pass documents on as values of an unknown type, which copies a structure to the heap. Its
/// numbers and terms are in memory that it shares with other documents, because an import would otherwise allocate and
/// free three arrays for each document, on different threads.
///
/// `@unchecked Sendable`: its part of the memory does not change, so it needs no lock.
public final class AnalyzedDocument: Hashable, @unchecked Sendable {
  /// Owns the memory.
  private let memory: TermMemory
  /// The end offset of each column in the stream, then the length of each column, then the stream.
  private let start: UnsafeRawPointer
  /// The number of columns.
  let columnCount: Int
  /// The size of the terms in bytes.
  package let size: Int

  /// - Parameters:
  ///   - stream: the terms of all columns, as `TokenBuffer` encodes them.
  ///   - columnEnds: the end offset of each column in the stream.
  ///   - lengths: the number of positions in each column.
  ///   - memory: the memory of the previous document, which is replaced if it has too little room.
  init(stream: [UInt8], columnEnds: [Int], lengths: [UInt32], in memory: inout TermMemory) {
    columnCount = columnEnds.count
    size = stream.count
    let (owner, bytes) = TermMemory.reserve(AnalyzedDocument.streamOffset(columnCount) + size, in: &memory)
    bytes.initializeMemory(as: Int.self, from: columnEnds, count: columnCount)
    (bytes + AnalyzedDocument.lengthsOffset(columnCount))
      .initializeMemory(as: UInt32.self, from: lengths, count: columnCount)
    (bytes + AnalyzedDocument.streamOffset(columnCount)).copyMemory(from: stream, byteCount: size)
    self.memory = owner
    start = UnsafeRawPointer(bytes)
  }

  private static func lengthsOffset(_ columnCount: Int) -> Int { columnCount * MemoryLayout<Int>.stride }

  private static func streamOffset(_ columnCount: Int) -> Int {
    lengthsOffset(columnCount) + columnCount * MemoryLayout<UInt32>.stride
  }

  /// The numbers and the stream.
  private var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: AnalyzedDocument.streamOffset(columnCount) + size)
  }

  public static func == (first: AnalyzedDocument, second: AnalyzedDocument) -> Bool {
    first === second
      || first.columnCount == second.columnCount
        && withExtendedLifetime((first, second)) { first.bytes.elementsEqual(second.bytes) }
  }

  public func hash(into hasher: inout Hasher) {
    withStream { hasher.combine(bytes: $0) }
  }

  /// Calls `body` with the terms of all columns, as `TokenBuffer` encodes them.
  @inline(__always)
  func withStream<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: start + AnalyzedDocument.streamOffset(columnCount), count: size))
    }
  }

  /// Calls `body` with the number of positions in each column: its length as FTS5 counts it, including one position
  /// between two strings.
  @inline(__always)
  func withLengths<Result>(_ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      let lengths = (start + AnalyzedDocument.lengthsOffset(columnCount)).assumingMemoryBound(to: UInt32.self)
      return try body(UnsafeBufferPointer(start: lengths, count: columnCount))
    }
  }

  /// The number of positions in each column; see ``withLengths(_:)``.
  package var lengths: [UInt32] { withLengths { Array($0) } }

  /// Returns the range of a column in the stream.
  @inline(__always)
  func column(_ number: Int) -> Range<Int> { (number == 0 ? 0 : end(ofColumn: number - 1))..<end(ofColumn: number) }

  @inline(__always)
  private func end(ofColumn number: Int) -> Int {
    withExtendedLifetime(self) { start.load(fromByteOffset: number * MemoryLayout<Int>.stride, as: Int.self) }
  }
}

// MARK: - Postings

extension AnalyzedDocument {
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
    withStream { stream in
      for column in 0..<columnCount {
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
