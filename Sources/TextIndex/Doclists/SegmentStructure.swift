/// The segments of an index: the structure record of ``DoclistFormat``.
struct SegmentStructure {
  struct Segment: Hashable {
    let id: Int64
    let firstLeaf: Int64
    let lastLeaf: Int64

    var leafCount: Int64 { lastLeaf - firstLeaf + 1 }

    /// The ID of a leaf's block.
    func block(_ leaf: Int64) -> Int64 { id << DoclistFormat.segmentShift + leaf }
  }

  /// The segments, youngest first.
  let segments: [Segment]

  /// Reads a structure record.
  ///
  /// - Returns: nil if its format is unknown.
  init?(_ record: [UInt8]) throws(DoclistCorruption) {
    guard let levels = try SegmentLevels(ifKnown: record) else { return nil }
    segments = levels.segments
  }

  /// Reads all varints of a record from an offset.
  static func varints(_ record: [UInt8], from offset: Int) throws(DoclistCorruption) -> [UInt64] {
    guard record.count >= offset else { throw .truncated }
    var values: [UInt64] = []
    var damage: DoclistCorruption?
    record.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      var reader = ByteReader(start + offset, end: start + bytes.count)
      do throws(DoclistCorruption) {
        while !reader.isAtEnd { values.append(try reader.varint()) }
      } catch {
        damage = error
      }
    }
    if let damage { throw damage }
    return values
  }
}
