/// Identifies a segment of an index.
package struct SegmentKey: Hashable, Sendable {
  /// The shard.
  package let shard: Int32
  /// The number of the segment, which is never reused in a shard.
  package let segment: Int32

  package init(shard: Int32, segment: Int32) {
    self.shard = shard
    self.segment = segment
  }
}

/// The tables of numbered payloads of segments.
package enum PayloadTable: Int, Hashable, Sendable, CaseIterable {
  case blocks, positions, lengths
}

/// Identifies a payload.
package struct PayloadKey: Hashable, Sendable {
  package let segment: SegmentKey
  package let table: PayloadTable
  package let number: Int32

  package init(_ segment: SegmentKey, _ table: PayloadTable, _ number: Int32) {
    self.segment = segment
    self.table = table
    self.number = number
  }
}

/// Receives the rows of a segment that is being written.
package protocol SegmentSink: AnyObject {
  /// Adds a page of the dictionary.
  func append(page: [UInt8], firstTerm: [UInt8]) throws

  /// Adds a numbered payload.
  func append(_ payload: [UInt8], _ table: PayloadTable, _ number: Int32) throws
}
