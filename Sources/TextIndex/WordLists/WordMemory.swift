/// Memory for the blocks of the word lists that are read together. With small pages, page faults would take half of the
/// time of reading the blocks.
///
/// `@unchecked Sendable`: no lock is needed because bytes are appended by the thread that reads the lists, and are not
/// changed after another thread can find their range.
final class WordMemory: @unchecked Sendable {
  private let memory: LargeMemory<UInt8>
  private var used = 0

  /// - Parameter blockCount: the maximum number of blocks.
  init(blockCount: Int) {
    memory = LargeMemory(count: blockCount * WordListFormat.maximumBlockSize)
  }

  deinit { memory.deallocate() }

  /// The bytes of all blocks, and the unused bytes after them.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory.start, count: memory.count) }

  /// Copies a block.
  ///
  /// - Returns: its range in ``bytes``; nil if it does not fit, because a block is larger than the maximum size.
  func append(_ block: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard let source = block.baseAddress, block.count <= memory.count - used else { return nil }
    (memory.start + used).initialize(from: source, count: block.count)
    defer { used += block.count }
    return used..<used + block.count
  }
}
