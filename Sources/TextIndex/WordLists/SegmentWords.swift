/// Encodes the word list of a segment from its leaves; see ``WordListFormat``.
///
/// Words whose estimated document frequency is 0 are left out, as in the lists that earlier versions have stored.
struct SegmentWords {
  private let segment: SegmentStructure.Segment
  private var builder: TermListBuilder
  private var encoder: WordListEncoder

  /// - Parameters:
  ///   - pageSize: the page size of the FTS5 table.
  ///   - output: receives the blocks of the list, the header last.
  init(
    _ segment: SegmentStructure.Segment, pageSize: Int,
    _ output: @escaping (_ id: Int64, _ block: [UInt8]) throws -> Void
  ) {
    self.segment = segment
    builder = TermListBuilder(nil, pageSize: pageSize, ofWordList: true)
    encoder = WordListEncoder(segment, output)
  }

  /// Adds the next leaf on which a term begins.
  ///
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written.
  mutating func add(_ leaf: UnsafeBufferPointer<UInt8>, number: Int64) throws(DoclistCorruption) {
    try builder.add(leaf, number: number)
  }

  /// Encodes the rest of the list.
  ///
  /// - Parameter firstLeafChecksum: the checksum of the first leaf of the segment.
  mutating func finish(firstLeafChecksum: UInt64) throws {
    builder.finish(lastLeaf: segment.lastLeaf)
    try encode()
    try encoder.finish(firstLeafChecksum: firstLeafChecksum)
  }

  /// Encodes the words of the leaves that were added. Not a part of ``add(_:number:)``, because the output may run the
  /// statement that reads the leaf.
  ///
  /// - Throws: the errors of the output.
  mutating func encode() throws {
    let list = builder.list
    try list.bytes.withUnsafeBufferPointer { bytes in
      for number in 0..<list.count {
        try encoder.append(
          UnsafeBufferPointer(rebasing: bytes[list.range(number)]), frequency: list.frequencies[number])
      }
    }
    builder.removeTerms()
  }
}

extension SegmentTerms {
  /// Calls `body` with the blocks of a segment's word list, the header last.
  func encode(
    _ leaves: TermLeaves, firstLeafChecksum: UInt64, _ body: @escaping (_ id: Int64, _ block: [UInt8]) throws -> Void
  ) throws {
    var words = SegmentWords(leaves.segment, pageSize: pageSize, body)
    for number in leaves.numbers {
      try read(number, of: leaves.segment) { try words.add($0, number: number) }
      try words.encode()
    }
    try words.finish(firstLeafChecksum: firstLeafChecksum)
  }
}
