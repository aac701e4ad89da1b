/// Some blocks and separators of a segment, which are sent together because sending takes longer than copying a block.
struct SegmentPart: Sendable {
  /// A block of `t_data` or a row of `t_idx`.
  private struct Row: Sendable {
    /// The ID of the block; the page of the separator.
    let number: Int64
    /// The end of its bytes.
    let end: Int
  }

  private var blocks: [Row] = []
  private var blockBytes: [UInt8] = []
  private var separators: [Row] = []
  private var separatorBytes: [UInt8] = []

  /// The number of bytes of a part that should be sent.
  private static let fullSize = 128 << 10

  init() {
    // A part ends with the block that makes it full. Blocks are hardly larger than pages.
    blockBytes.reserveCapacity(SegmentPart.fullSize + SegmentPart.fullSize / 4)
  }

  /// The number of bytes of its blocks and separators.
  var byteCount: Int { blockBytes.count + separatorBytes.count }
  var isFull: Bool { byteCount >= SegmentPart.fullSize }

  /// Appends a block of `t_data`.
  mutating func appendBlock(_ id: Int64, _ bytes: UnsafeRawBufferPointer) {
    blockBytes.append(contentsOf: bytes)
    blocks.append(Row(number: id, end: blockBytes.count))
  }

  /// Appends a row of `t_idx`.
  mutating func appendSeparator(_ term: UnsafeRawBufferPointer, _ page: Int64) {
    separatorBytes.append(contentsOf: term)
    separators.append(Row(number: page, end: separatorBytes.count))
  }

  var blockCount: Int { blocks.count }

  /// Calls `body` with a block.
  func withBlock<T>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    let start = number == 0 ? 0 : blocks[number - 1].end
    return try blockBytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<blocks[number].end]))
    }
  }

  /// Calls `body` with each block, in order.
  func forEachBlock(_ body: (_ id: Int64, UnsafeRawBufferPointer) throws -> Void) rethrows {
    try SegmentPart.forEach(blocks, blockBytes, body)
  }

  /// Calls `body` with each separator, in order.
  func forEachSeparator(_ body: (_ page: Int64, _ term: UnsafeRawBufferPointer) throws -> Void) rethrows {
    try SegmentPart.forEach(separators, separatorBytes, body)
  }

  private static func forEach(
    _ rows: [Row], _ bytes: [UInt8], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    try bytes.withUnsafeBytes { bytes in
      var start = 0
      for row in rows {
        try body(row.number, UnsafeRawBufferPointer(rebasing: bytes[start..<row.end]))
        start = row.end
      }
    }
  }
}
