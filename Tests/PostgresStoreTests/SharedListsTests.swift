import TestSupport
import Testing

@testable import PostgresAccess
@testable import PostgresStore

@Suite struct SharedListsTests {
  /// The rows of a COPY: the number in the column `tri` and the payload of each.
  private static func rows(_ copy: [UInt8]) -> [(number: Int32, payload: [UInt8])] {
    // Signature, flags and extension take 19 bytes. A row has the lengths and bytes of idx, tri, seg and payload.
    func number(at position: Int) -> Int32 { copy[position..<position + 4].reduce(0) { $0 << 8 | Int32($1) } }
    var rows: [(Int32, [UInt8])] = []
    var position = 19
    while position < copy.count {
      let length = Int(number(at: position + 34))
      rows.append((number(at: position + 18), Array(copy[position + 38..<position + 38 + length])))
      position += 38 + length
    }
    return rows
  }

  private static func lists(_ rows: [(number: Int32, payload: [UInt8])]) throws -> [UInt32: [UInt8]] {
    var lists: [UInt32: [UInt8]] = [:]
    for row in rows {
      try row.payload.withUnsafeBytes { try PatternRows.forEachList(row.number, $0) { lists[$0] = Array($1) } }
    }
    return lists
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func listsAreThoseThatWereAppended(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trigrams = Set((0..<500).map { _ in UInt32.random(in: 0..<0x1_0000_00, using: &random) & 0xFF_07_0F })
      .union([0, 0xFF, 0x100, 0xFF_FF00, 0xFF_FFFF])
    var expected: [UInt32: [UInt8]] = [:]
    for trigram in trigrams {
      let count = [1, 5, 127, 128, 300].randomElement(using: &random) ?? 1
      expected[trigram] = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
    }
    var (writer, found) = (PatternRows(index: 1, segment: 2), [(number: Int32, payload: [UInt8])]())
    writer.append(documents: [3, 300])
    for trigram in trigrams.sorted() {
      if writer.isFull(1_000, before: trigram) { found += SharedListsTests.rows(writer.take().buffer) }
      if let list = expected[trigram] { writer.append(list, trigram) }
    }
    found += SharedListsTests.rows(writer.take().buffer)
    #expect(try SharedListsTests.lists(found) == expected)
    #expect(found.first?.number == PatternSegments.documentsNumber)
    // The number is a part of the primary key.
    #expect(Set(found.map(\.number)).count == found.count)
    for row in found where row.number != PatternSegments.documentsNumber {
      #expect((row.number >= 0) == (row.payload.count > 127 && expected[UInt32(bitPattern: row.number)] == row.payload))
    }
  }

  @Test func aTruncatedRowIsDamaged() throws {
    var row: [UInt8] = []
    for trigram in [0x616263, 0x616264] as [UInt32] { SharedLists.append([1, 2, 3], trigram, to: &row) }
    let number = SharedLists.number(of: 0x616263)
    for count in 0...row.count {
      guard count % 5 == 0 else {
        #expect(throws: SegmentDamage.self) { try SharedListsTests.lists([(number, Array(row.prefix(count)))]) }
        continue
      }
      let lists = try SharedListsTests.lists([(number, Array(row.prefix(count)))])
      #expect(lists.count == count / 5)
      #expect(lists.allSatisfy { $0.key >> 8 == 0x6162 && $0.value == [1, 2, 3] })
    }
  }

  @Test func numbersOfSharedRowsAreLessThanOthers() {
    #expect(SharedLists.number(of: 0xFF_FFFF) < PatternSegments.documentsNumber)
    #expect(SharedLists.numbers(0...0xFFFF) == SharedLists.number(of: 0)...SharedLists.number(of: 0xFF_FFFF))
    #expect(SharedLists.trigrams(0x6162...0x6163) == 0x616200...0x6163FF)
  }
}
