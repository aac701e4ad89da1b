/// The header of a word list; see ``WordListFormat``.
struct WordListHeader: Equatable {
  var firstLeafChecksum: UInt64
  var blockCount: UInt32

  init(firstLeafChecksum: UInt64, blockCount: UInt32) {
    self.firstLeafChecksum = firstLeafChecksum
    self.blockCount = blockCount
  }

  /// Reads the header of a segment's list.
  ///
  /// - Returns: nil if it is damaged, has another version or does not match the leaves of the segment.
  init?(_ block: UnsafeBufferPointer<UInt8>, of segment: SegmentStructure.Segment) {
    guard let content = WordListFormat.content(block, id: WordListFormat.id(0, in: segment)) else { return nil }
    var reader = LittleEndianReader(content)
    guard reader.next(UInt32.self) == WordListFormat.version,
      reader.next(UInt32.self) == UInt32(clamping: segment.firstLeaf),
      reader.next(UInt32.self) == UInt32(clamping: segment.lastLeaf),
      let checksum = reader.next(UInt64.self), let count = reader.next(UInt32.self)
    else { return nil }
    (firstLeafChecksum, blockCount) = (checksum, count)
  }

  /// Returns the stored form of the header of a segment's list.
  func block(of segment: SegmentStructure.Segment) -> [UInt8] {
    var content: [UInt8] = []
    content.appendLittleEndian(WordListFormat.version)
    content.appendLittleEndian(UInt32(clamping: segment.firstLeaf))
    content.appendLittleEndian(UInt32(clamping: segment.lastLeaf))
    content.appendLittleEndian(firstLeafChecksum)
    content.appendLittleEndian(blockCount)
    return WordListFormat.block(content, id: WordListFormat.id(0, in: segment))
  }
}
