/// The word list of a segment: its terms that are words, with their estimated document frequencies, in blocks that the
/// search for similar words reads instead of the leaves, which also contain doclists, numbers and identifiers.
///
/// It is stored in FTS5's data table, in the id range of the segment:
///
/// ```
/// id (segid << 37) + (1 << 32)        header
/// id (segid << 37) + (1 << 32) + n    block n; the first block has the number 1
///
/// header    := checksum:u64  version:u32  first leaf:u32  last leaf:u32  checksum of the first leaf:u64  blocks:u32
/// block     := checksum:u64  words:u16  shared:u8{words}  length:u8{words}  bytes{words}  frequency:varint{words}
/// ```
///
/// Terms with ASCII digits or underscores are not listed: corrections are neither, and they may be 15 times as many.
///
/// Numbers are little endian; varints are those of ``DoclistFormat``. `shared` is the number of bytes that a word
/// shares with its predecessor in the block, `length` is the number of bytes after them, and `bytes` contains these
/// bytes. Frequencies are those of ``SegmentTerms`` if it reads all leaves. A checksum covers the ID and the bytes
/// after it.
///
/// FTS5 never uses these IDs (see ``DoclistBounds``), and deletes all blocks in the range of a segment with the
/// segment. A list is used only if its header matches the leaves of its segment: a merge that is not finished deletes
/// leaves at the beginning of its segments, rewrites the first of the others, and adds leaves at the end of the new
/// segment.
enum WordListFormat {
  static let version: UInt32 = 1
  /// The maximum size of a block. A block of this size fills a page of a database.
  static let maximumBlockSize = 8_100
  /// The offset of the arrays in a block.
  static let blockHeaderSize = 10

  /// Returns whether a term is listed. A damaged segment may have terms that are longer than the analyzer's.
  static func contains(_ term: some Collection<UInt8>) -> Bool {
    term.count <= TermList.maximumLength
      && term.allSatisfy { $0 != UInt8(ascii: "_") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Returns the ID of a block; that of the header for the number 0.
  static func id(_ number: Int64, in segment: SegmentStructure.Segment) -> Int64 {
    segment.block(DoclistFormat.wordListOffset + number)
  }

  /// Returns the IDs that a list may have.
  static func ids(in segment: SegmentStructure.Segment) -> Range<Int64> {
    segment.block(DoclistFormat.wordListOffset)..<segment.block(DoclistFormat.doclistIndexOffset)
  }

  /// Returns a checksum that detects each change of up to eight adjacent bytes at a multiple of eight.
  static func checksum(_ bytes: UnsafeRawBufferPointer, _ id: Int64) -> UInt64 {
    var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(bitPattern: id)
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    let wholeLength = bytes.count & ~7
    for offset in stride(from: 0, to: wholeLength, by: 8) {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    for byte in bytes[wholeLength...] { add(UInt64(byte)) }
    add(UInt64(bytes.count))
    return hash
  }

  /// Returns a block or header with its checksum.
  static func block(_ content: [UInt8], id: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count + 8)
    bytes.appendLittleEndian(content.withUnsafeBytes { checksum($0, id) })
    bytes.append(contentsOf: content)
    return bytes
  }

  /// Returns the content of a block or header; nil if it does not match its checksum.
  static func content(_ block: UnsafeBufferPointer<UInt8>, id: Int64) -> UnsafeBufferPointer<UInt8>? {
    var reader = LittleEndianReader(block)
    guard let stored = reader.next(UInt64.self) else { return nil }
    let content = UnsafeBufferPointer(rebasing: block[8...])
    return checksum(UnsafeRawBufferPointer(content), id) == stored ? content : nil
  }
}
