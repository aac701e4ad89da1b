import TestSupport
import Testing
import TextIndex

@testable import PostgresStore

/// The stored forms of the parts of a segment, with random contents.
@Suite struct FormatTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func packedNumbersAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...700, using: &random)
    let width = UInt32.random(in: 0...32, using: &random)
    let numbers = (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next() >> UInt64(64 - width)) }
    var bytes: [UInt8] = []
    numbers.withUnsafeBufferPointer { BitPacking.append($0, to: &bytes) }
    let read = try bytes.reading { reader in
      var read = [UInt32](repeating: 0, count: count)
      try read.withUnsafeMutableBufferPointer { buffer in
        if let start = buffer.baseAddress { try BitPacking.read(count, from: &reader, into: start) }
      }
      #expect(reader.isAtEnd)
      return read
    }
    #expect(read == numbers)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func blocksAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let columnCount = Int.random(in: 1...4, using: &random)
    let postings = try RandomPostings.make(
      Int.random(in: 1...BlockFormat.length, using: &random), columnCount: columnCount, &random)
    var bytes: [UInt8] = []
    BlockFormat.append(postings, 0..<postings.count, columnCount: columnCount, to: &bytes)
    let read = try RandomPostings.read(bytes, postings.count, columnCount: columnCount)
    #expect(read.rowList == postings.rowList)
    #expect(RandomPostings.counts(read) == RandomPostings.counts(postings))
  }

  /// Damaged blocks give an error or other postings, but never a trap, and rows are always ascending.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func damagedBlocksAreSafe(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let postings = try RandomPostings.make(Int.random(in: 1...300, using: &random), columnCount: 3, &random)
    var bytes: [UInt8] = []
    BlockFormat.append(postings, 0..<postings.count, columnCount: 3, to: &bytes)
    for _ in 0..<100 {
      let damaged = bytes.damaged(&random)
      guard let read = try? RandomPostings.read(damaged, postings.count, columnCount: 3) else { continue }
      #expect(zip(read.rowList, read.rowList.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func pagesAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let terms = Set((0..<200).map { _ in RandomPostings.term(&random) }).sorted { $0.lexicographicallyPrecedes($1) }
    let entries = terms.map { _ in RandomPostings.entry(&random) }
    var builder = DictionaryPageBuilder()
    var pages: [(term: [UInt8], page: [UInt8])] = []
    for (term, entry) in zip(terms, entries) {
      if let page = term.withUnsafeBufferPointer({ builder.append($0, entry) }) { pages.append(page) }
    }
    if let page = builder.finish() { pages.append(page) }
    for (term, entry) in zip(terms, entries) {
      let page = try #require(pages.last { !term.lexicographicallyPrecedes($0.term) })
      let found = try page.page.withUnsafeBufferPointer { try DictionaryPage.entry(of: term, on: $0) }
      #expect(try #require(found).isBound(of: entry))
      let missing = try page.page.withUnsafeBufferPointer { try DictionaryPage.entry(of: term + [0], on: $0) }
      #expect(missing == nil)
    }
    for _ in 0..<200 {
      guard let page = pages.randomElement(using: &random) else { return }
      let damaged = page.page.damaged(&random)
      _ = try? damaged.withUnsafeBufferPointer {
        try DictionaryPage.forEach($0) { _, entry in
          _ = try DictionaryEntry(&entry)
          return true
        }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func lengthsAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lengths = DocumentLengthRows(columnCount: 2)
    var row: UInt32 = 0
    for _ in 0..<Int.random(in: 1...9000, using: &random) {
      row += UInt32([1, 1, 1, 1000].randomElement(using: &random) ?? 1)
      lengths.append(row, [UInt32.random(in: 0...300, using: &random), UInt32.random(in: 0...2, using: &random)])
    }
    var read = DocumentLengthRows(columnCount: 2)
    for number in 0..<lengths.blockCount {
      try lengths.block(number).withUnsafeBufferPointer { try read.append(block: $0, base: 0) }
    }
    #expect(read == lengths)
    for _ in 0..<50 {
      var other = DocumentLengthRows(columnCount: 2)
      _ = try? lengths.block(0).damaged(&random).withUnsafeBufferPointer { try other.append(block: $0, base: 0) }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func headersAreReadBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var header = SegmentHeader()
    header.columnCount = 2
    header.pageCount = 7
    header.blockCount = 300
    header.positionRowCount = 20
    header.lengthBlockCount = 3
    header.normalization = LengthNormalization(b: 0.75, weights: [1, 2], averages: [3.5, 100])
    header.replacedRows = Set(
      (0..<Int.random(in: 0...500, using: &random)).map { _ in
        UInt32.random(in: 0...10_000, using: &random)
      }
    ).sorted()
    #expect(try SegmentHeader(header.bytes, columnCount: 2) == header)
    #expect(throws: SegmentDamage.self) { try SegmentHeader(header.bytes, columnCount: 3) }
    for _ in 0..<200 { _ = try? SegmentHeader(header.bytes.damaged(&random), columnCount: 2) }
  }
}

/// Random postings, terms and entries.
enum RandomPostings {
  static func make(_ count: Int, columnCount: Int, _ random: inout SeededGenerator) throws -> Postings {
    var assembler = PostingsAssembler(columnCount: columnCount, keepingPositions: true)
    let isSparse = Bool.random(using: &random)
    let isSingle = Bool.random(using: &random)
    var row = UInt32.random(in: 0...1000, using: &random)
    for _ in 0..<count {
      var writer = PoslistWriter()
      let columns = isSingle ? [columnCount - 1] : (0..<columnCount).filter { _ in Bool.random(using: &random) }
      for column in columns.isEmpty ? [0] : columns {
        var position = 0
        for _ in 0..<(Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 1...400, using: &random) : 1) {
          position += Int.random(in: 1...300, using: &random)
          writer.append(TermPosition(column: column, position: position))
        }
      }
      var bytes: [UInt8] = []
      writer.appendBytes(to: &bytes)
      try bytes.withUnsafeBufferPointer { try assembler.append(row, poslist: $0) }
      row += UInt32.random(in: 1...(isSparse ? 1_000_000 : 3), using: &random)
    }
    return assembler.finish()
  }

  static func read(_ bytes: [UInt8], _ count: Int, columnCount: Int) throws -> Postings {
    var decoder = BlockDecoder(columnCount: columnCount)
    try bytes.withUnsafeBufferPointer { try decoder.decode($0, base: 0, expected: count) }
    var assembler = PostingsAssembler(columnCount: columnCount, keepingPositions: false)
    decoder.append(to: &assembler, hiding: [])
    return assembler.finish()
  }

  /// The frequencies of each posting by column.
  static func counts(_ postings: Postings) -> [[UInt32]] {
    (0..<postings.count).map { number in
      let code = postings.frequencies[number]
      if code & Frequencies.overflowFlag == 0 { return [code >> 16, code & 0xFFFF] }
      let start = postings.overflow + Int(code & ~Frequencies.overflowFlag)
      return (0..<2 * Int(start[0])).map { start[1 + $0] }
    }
  }

  static func term(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...([3, 12, 255].randomElement(using: &random) ?? 3), using: &random)).map { _ in
      UInt8.random(in: 97...100, using: &random)
    }
  }

  static func entry(_ random: inout SeededGenerator) -> DictionaryEntry {
    var entry = DictionaryEntry()
    entry.replacedCount = Int.random(in: 0...2, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0: entry.replacedCount += 1
    case 1, 2:
      entry.documentFrequency = Int.random(in: DictionaryEntry.inlineLimit + 1...100_000, using: &random)
      var row: UInt32 = 5
      let blocks = (0..<(entry.documentFrequency + BlockFormat.length - 1) / BlockFormat.length).map { _ in
        row += UInt32.random(in: 1...5000, using: &random)
        return DictionaryEntry.Block(lastRow: row, frequency: Float.random(in: 0...100, using: &random))
      }
      entry.content = .blocks(first: 17, positions: 3, firstRow: 5, blocks)
    default:
      entry.documentFrequency = Int.random(in: 1...DictionaryEntry.inlineLimit, using: &random)
      entry.content = .inline(
        (0..<entry.documentFrequency).map { _ in UInt8.random(in: 0...255, using: &random) },
        positions: DictionaryEntry.PositionRange(row: 4, offset: 100, count: 300))
    }
    return entry
  }
}

extension DictionaryEntry {
  /// Returns whether this is an entry as it is read back: with frequency bounds that are a little higher.
  func isBound(of original: DictionaryEntry) -> Bool {
    guard case .blocks(let first, let positions, let row, let blocks) = content,
      case .blocks(first, positions, row, let others) = original.content
    else { return self == original }
    return documentFrequency == original.documentFrequency && replacedCount == original.replacedCount
      && blocks.count == others.count
      && zip(blocks, others).allSatisfy {
        $0.lastRow == $1.lastRow && $0.frequency >= $1.frequency && $0.frequency <= $1.frequency * 1.01
      }
  }
}

extension [UInt8] {
  /// Returns the bytes with some of them changed, removed or added.
  func damaged(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes.removeSubrange(position...)
      case 1: bytes.remove(at: position)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
      default: bytes[position] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return bytes
  }
}
