import TestSupport
import Testing

@testable import TextIndex

@Suite struct TrigramPostingsTests {
  /// Random documents with small and large gaps between their rows, some of which are removed, against doclists that
  /// are encoded one row after the other.
  @Test(arguments: [1, 2, 3] as [UInt64]) func doclistsAreThoseOfAReference(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let postings = TrigramPostings()
    var expected: [UInt32: Reference] = [:]
    var row: Int64 = 0
    for _ in 0..<400 {
      let trigrams = (0..<20).map { _ in UInt32.random(in: 0..<60, using: &random) * 7919 }
      let isRemoved = Int.random(in: 0..<6, using: &random) == 0
      if isRemoved {
        postings.removeAll(trigrams, row: row)
        for trigram in Set(trigrams) { expected[trigram, default: Reference()].add(row, isRemoval: true) }
      }
      if !isRemoved || Bool.random(using: &random) {
        postings.addAll(trigrams, row: row)
        for trigram in Set(trigrams) { expected[trigram, default: Reference()].add(row, isRemoval: false) }
      }
      row += Int64.random(
        in: 1...(1 << [1, 1, 3, 7, 14, 21, 48, 53][Int.random(in: 0..<8, using: &random)]), using: &random)
    }
    var found: [(trigram: UInt32, bytes: [UInt8])] = []
    postings.forEachDoclist { doclist in
      let bytes = UnsafeBufferPointer(start: doclist.bytes, count: Int(doclist.count))
      found.append((doclist.trigram, Array(bytes)))
    }
    #expect(found.map(\.trigram) == expected.keys.sorted())
    for (trigram, bytes) in found { #expect(bytes == expected[trigram]?.bytes, "trigram \(trigram), seed \(seed)") }
  }

  /// The rows of a doclist, and whether they are removed from older segments and have a posting.
  private struct Reference {
    private var rows: [(row: Int64, isRemoved: Bool, hasPosting: Bool)] = []

    mutating func add(_ row: Int64, isRemoval: Bool) {
      if rows.last?.row != row { rows.append((row, false, false)) }
      if isRemoval { rows[rows.count - 1].isRemoved = true } else { rows[rows.count - 1].hasPosting = true }
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      var last: Int64 = 0
      for entry in rows {
        bytes.appendVarint(UInt64(entry.row - last))
        last = entry.row
        if entry.isRemoved { bytes += entry.hasPosting ? [0, 0] : [0] }
      }
      return bytes
    }
  }
}

extension TrigramPostings {
  fileprivate func addAll(_ trigrams: [UInt32], row: Int64) {
    TrigramPostings.bytes(of: trigrams).withUnsafeBytes { add($0, row: row) }
  }

  fileprivate func removeAll(_ trigrams: [UInt32], row: Int64) {
    TrigramPostings.bytes(of: trigrams).withUnsafeBytes { remove($0, row: row) }
  }

  private static func bytes(of trigrams: [UInt32]) -> [UInt8] {
    trigrams.flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 16), UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
  }
}
