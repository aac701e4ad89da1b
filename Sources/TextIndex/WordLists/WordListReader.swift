import GRDB
import SQLiteAccess

/// Reads the word lists of a table; see ``WordListFormat``. Lists that are damaged or do not match their segment are
/// treated as missing.
struct WordListReader {
  private let table: String
  private let db: Database
  private let blocks: SQLStatement

  /// The maximum number of blocks. The blocks are held in memory, as the vocabulary is.
  private static let maximumBlockCount = Vocabulary.sizeLimit / WordListFormat.maximumBlockSize

  init(_ table: String, _ db: Database) throws {
    self.table = table
    self.db = db
    blocks = try SQLStatement(cached: "SELECT id, block FROM \(table)_data WHERE id BETWEEN ? AND ?", in: db)
  }

  /// Returns the list of a segment; nil if it has none that can be used.
  func list(of segment: SegmentStructure.Segment) throws -> WordList? {
    let id = WordListFormat.id(0, in: segment)
    let header = try DoclistFormat.withBlock(id, table: table, db) { WordListHeader($0, of: segment) }
    guard let header = header ?? nil, header.blockCount <= WordListReader.maximumBlockCount,
      try header.firstLeafChecksum == firstLeafChecksum(of: segment)
    else { return nil }
    return WordList(segment, blockCount: Int(header.blockCount))
  }

  /// Reads the blocks of a list.
  ///
  /// - Parameter memory: memory for these and other blocks.
  /// - Returns: nil if a block is damaged or missing.
  func blocks(of list: WordList, into memory: WordMemory) throws -> WordList.Blocks? {
    var contents = WordList.Blocks(memory: memory)
    blocks.bind(1, WordListFormat.id(1, in: list.segment))
    blocks.bind(2, WordListFormat.id(Int64(list.blockCount), in: list.segment))
    defer { blocks.reset() }
    while try blocks.step() {
      let id = blocks.row.int64(0)
      guard id == WordListFormat.id(Int64(contents.ranges.count) + 1, in: list.segment),
        let content = WordListFormat.content(blocks.row.blob(1), id: id), let range = memory.append(content)
      else { return nil }
      contents.ranges.append(range)
    }
    return contents.ranges.count == list.blockCount ? contents : nil
  }

  /// Returns the checksum of a segment's first leaf; nil if it does not exist.
  func firstLeafChecksum(of segment: SegmentStructure.Segment) throws -> UInt64? {
    let id = segment.block(segment.firstLeaf)
    return try DoclistFormat.withBlock(id, table: table, db) {
      WordListFormat.checksum(UnsafeRawBufferPointer($0), id)
    }
  }
}
