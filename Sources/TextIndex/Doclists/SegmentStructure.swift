/// The segments of an index: the structure record of ``DoclistFormat``.
struct SegmentStructure {
  struct Segment: Hashable {
    let id: Int64
    let firstLeaf: Int64
    let lastLeaf: Int64

    /// The ID of a leaf's block.
    func block(_ leaf: Int64) -> Int64 { id << DoclistFormat.segmentShift + leaf }
  }

  /// The segments, youngest first.
  let segments: [Segment]

  /// The maximum number of leaves that FTS5 can have written to an index: it takes decades to write as many.
  private static let maximumWrittenCount: UInt64 = 1 << 53

  /// Reads a structure record.
  ///
  /// - Returns: nil if its format is unknown.
  init?(_ record: [UInt8]) throws(DoclistCorruption) {
    let markedAsV2 = record.count >= 8 && record[4...].starts(with: [0xFF, 0, 0, 1])
    if markedAsV2 { return nil }
    segments = try SegmentStructure.segments(record)
  }

  private static func segments(_ record: [UInt8]) throws(DoclistCorruption) -> [Segment] {
    var values = try varints(record, from: 4)[...]
    func next(upTo limit: UInt64) throws(DoclistCorruption) -> UInt64 {
      guard let value = values.popFirst() else { throw .truncated }
      guard value <= limit else { throw .badNumber }
      return value
    }
    // No count can exceed the number of remaining varints.
    let levelCount = try next(upTo: UInt64(values.count))
    let total = try next(upTo: UInt64(values.count))
    _ = try next(upTo: maximumWrittenCount)
    var segments: [Segment] = []
    for _ in 0..<levelCount {
      _ = try next(upTo: UInt64(record.count))
      let count = try next(upTo: UInt64(values.count / 3))
      var level: [Segment] = []
      for _ in 0..<count {
        let id = try next(upTo: DoclistFormat.maximumSegment)
        let first = try next(upTo: DoclistFormat.maximumLeaf)
        let last = try next(upTo: DoclistFormat.maximumLeaf)
        guard id > 0, first <= last else { throw .badNumber }
        // A segment without leaves has been merged completely.
        if first > 0 { level.append(Segment(id: Int64(id), firstLeaf: Int64(first), lastLeaf: Int64(last))) }
      }
      segments.append(contentsOf: level.reversed())
    }
    guard segments.count <= total else { throw .badNumber }
    return segments
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
