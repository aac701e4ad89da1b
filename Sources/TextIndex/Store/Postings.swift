import Synchronization

/// The posting list of a term or phrase: rows in ascending order, frequencies by column and, if requested, positions.
///
/// Decoded once from FTS5's doclists into flat memory, so that inner loops read plain numbers.
///
/// `@unchecked Sendable`: the object is immutable except for ``knownFrequencies``, which a lock protects.
package final class Postings: @unchecked Sendable {
  /// The number of documents.
  package let count: Int
  /// The rows of the documents, ascending.
  package let rows: UnsafePointer<UInt32>
  /// The frequency of the term in each document; see ``Frequencies``.
  package let frequencies: UnsafePointer<UInt32>
  /// The frequencies that do not fit into a number of ``frequencies``.
  package let overflow: UnsafePointer<UInt32>
  /// The offset of each poslist in ``positionBytes``; nil if positions were not requested.
  package let poslistOffsets: UnsafePointer<UInt32>?
  /// FTS5 poslists, each preceded by its length in bytes as a varint.
  let positionBytes: UnsafePointer<UInt8>
  /// The size in bytes.
  package let size: Int

  private let memory: PostingsStorage
  private let knownFrequencies = Mutex<[UInt64]?>(nil)

  init(_ memory: consuming PostingsStorage) {
    count = memory.rows.count
    rows = UnsafePointer(memory.rows.start)
    frequencies = UnsafePointer(memory.frequencies.start)
    overflow = UnsafePointer(memory.overflow.start)
    poslistOffsets = memory.keepsPositions ? UnsafePointer(memory.poslistOffsets.start) : nil
    positionBytes = UnsafePointer(memory.positions.start)
    size = memory.size + MemoryLayout<PostingsStorage>.size
    self.memory = memory
  }

  /// A copy of the rows.
  package var rowList: [UInt32] { Array(UnsafeBufferPointer(start: rows, count: count)) }

  /// The row of the last posting; -1 if there is none.
  package var lastRow: Int { count == 0 ? -1 : Int(rows[count - 1]) }

  /// Returns the total frequency of the term in each column, over all documents.
  ///
  /// - Complexity: O(n) in the number of documents the first time.
  package func collectionFrequencies(columnCount: Int) -> [UInt64] {
    knownFrequencies.withLock { known in
      if let known { return known }
      var sums = Array(repeating: UInt64(0), count: columnCount)
      for number in 0..<count {
        Frequencies.forEach(frequencies[number], overflow) { column, frequency in sums[column] += UInt64(frequency) }
      }
      known = sums
      return sums
    }
  }

  /// Returns the poslist of a posting, without its length. Requires ``poslistOffsets``.
  @inline(__always)
  package func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard let poslistOffsets else { return UnsafeBufferPointer(start: nil, count: 0) }
    return Postings.poslist(at: positionBytes + Int(poslistOffsets[number]))
  }

  /// Returns the poslist whose length is stored at an address.
  @inline(__always)
  static func poslist(at address: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = address
    var length = 0
    while start[0] >= 0x80 {
      length = length << 7 | Int(start[0] & 0x7F)
      start += 1
    }
    length = length << 7 | Int(start[0])
    return UnsafeBufferPointer(start: start + 1, count: length)
  }
}

/// Encodes the frequencies of a term in the columns of a document. If the term occurs in one column, and the column and
/// the frequency are at most ``maximumColumn`` and ``maximumFrequency``, the high 16 bits of the code are the column
/// and the low 16 bits are the frequency. Otherwise the highest bit is set, and the other bits are an offset in
/// `overflow`, at which the number of columns is stored, followed by each column and its frequency.
package enum Frequencies {
  package static let overflowFlag: UInt32 = 0x8000_0000
  package static let maximumColumn = 0x7FFF
  package static let maximumFrequency = 0xFFFF

  /// Calls `body` with each column and frequency.
  @inline(__always)
  static func forEach(_ code: UInt32, _ overflow: UnsafePointer<UInt32>, _ body: (Int, UInt32) -> Void) {
    guard code & overflowFlag != 0 else { return body(Int(code >> 16), code & 0xFFFF) }
    let overflowOffset = Int(code & ~overflowFlag)
    for number in 0..<Int(overflow[overflowOffset]) {
      body(Int(overflow[overflowOffset + 1 + 2 * number]), overflow[overflowOffset + 2 + 2 * number])
    }
  }
}
