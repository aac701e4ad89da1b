import GRDB

/// The leaf score bounds of a long doclist: an upper bound on the scores of each leaf. A top-k search reads only leaves
/// that can contain top hits.
///
/// They are stored in FTS5's data table, in the id range of the doclist's segment:
///
/// ```
/// id (segid << 37) + (1 << 31) + leaf    bounds of the doclist whose term is the last that begins on a leaf
///
/// bounds := checksum:u64  b:f64  fields:u32  (weight:f64  average:f64){per field}
///           documents:u32  last row:u32  leaves:u32  (leaf:u32  row:u32  frequency:f32){per leaf}  term:byte*
/// ```
///
/// Numbers are little endian. `leaf` and `row` are the number of a leaf with rowids of the doclist and the first of
/// those rowids; `frequency` is the highest frequency on the leaf as defined by ``Ranking`` with the preceding
/// parameters, rounded up. `documents` is the number of rows that are not delete markers. The checksum is FNV-1a over
/// the id and the following bytes.
///
/// FTS5 never uses these block numbers: leaf numbers have 31 bits, and doclist indexes have bit 36. FTS5 reuses segment
/// numbers, but first deletes all blocks in the range of the old segment, including blocks that it did not write. Thus
/// bounds are deleted with their segment, no matter which program changes the table, and are computed once per segment.
struct DoclistBounds: Equatable {
  struct Leaf: Equatable {
    let number: Int64
    let firstRow: UInt32
    let frequency: Float
  }

  let term: [UInt8]
  let normalization: LengthNormalization
  let documentCount: Int
  let lastRow: UInt32
  let leaves: [Leaf]

  /// Returns the ID of the block for a doclist that begins on a leaf.
  static func block(_ leaf: Int64, in segment: SegmentStructure.Segment) -> Int64 {
    segment.block(leaf) + DoclistFormat.boundsOffset
  }
}

extension DoclistBounds {
  /// Reads bounds.
  ///
  /// - Parameter id: the ID of the block.
  /// - Returns: nil if the block is not a bounds record.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, id: Int64) {
    var reader = LittleEndianReader(bytes)
    guard reader.next(UInt64.self) == DoclistBounds.checksum(bytes.dropFirst(8), id), let b = reader.next(UInt64.self),
      let columnCount = reader.next(UInt32.self)
    else {
      return nil
    }
    var (weights, averages): ([Double], [Double]) = ([], [])
    for _ in 0..<columnCount {
      guard let weight = reader.next(UInt64.self), let average = reader.next(UInt64.self) else { return nil }
      weights.append(Double(bitPattern: weight))
      averages.append(Double(bitPattern: average))
    }
    normalization = LengthNormalization(b: Double(bitPattern: b), weights: weights, averages: averages)
    guard let documents = reader.next(UInt32.self), let last = reader.next(UInt32.self),
      let leafCount = reader.next(UInt32.self)
    else {
      return nil
    }
    (documentCount, lastRow) = (Int(documents), last)
    var leaves: [Leaf] = []
    for _ in 0..<leafCount {
      guard let number = reader.next(UInt32.self), let row = reader.next(UInt32.self),
        let frequency = reader.next(UInt32.self)
      else {
        return nil
      }
      leaves.append(Leaf(number: Int64(number), firstRow: row, frequency: Float(bitPattern: frequency)))
    }
    self.leaves = leaves
    term = reader.rest()
  }

  /// Returns the stored form.
  func bytes(id: Int64) -> [UInt8] {
    var content: [UInt8] = []
    content.appendLittleEndian(normalization.b.bitPattern)
    content.appendLittleEndian(UInt32(normalization.weights.count))
    for (weight, average) in zip(normalization.weights, normalization.averages) {
      content.appendLittleEndian(weight.bitPattern)
      content.appendLittleEndian(average.bitPattern)
    }
    content.appendLittleEndian(UInt32(documentCount))
    content.appendLittleEndian(lastRow)
    content.appendLittleEndian(UInt32(leaves.count))
    for leaf in leaves {
      content.appendLittleEndian(UInt32(leaf.number))
      content.appendLittleEndian(leaf.firstRow)
      content.appendLittleEndian(leaf.frequency.bitPattern)
    }
    content += term
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(DoclistBounds.checksum(content, id))
    return bytes + content
  }

  private static func checksum(_ content: some Sequence<UInt8>, _ id: Int64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bitPattern: id)
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
