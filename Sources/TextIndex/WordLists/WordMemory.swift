/// Memory for the blocks of the word lists that are read together. With small pages, page faults would take half of the
/// time of reading the blocks.
///
/// `@unchecked Sendable`: no lock is needed because bytes are appended by the thread that reads the lists, and are not
/// changed after another thread can find their range.
final class WordMemory: @unchecked Sendable {
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var used = 0

  /// - Parameter blockCount: the maximum number of blocks.
  init(blockCount: Int) {
    capacity = blockCount * WordListFormat.maximumBlockSize
    start = HugePages.allocate(UInt8.self, capacity: capacity)
  }

  deinit { start.deallocate() }

  /// The bytes of all blocks, and the unused bytes after them.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: capacity) }

  /// Copies a block.
  ///
  /// - Returns: its range in ``bytes``; nil if it does not fit, because a block is larger than the maximum size.
  func append(_ block: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard let source = block.baseAddress, block.count <= capacity - used else { return nil }
    (start + used).initialize(from: source, count: block.count)
    defer { used += block.count }
    return used..<used + block.count
  }
}
