/// Allocates the memory for the lengths of runs.
struct LengthMemory {
  /// The blocks that contain the runs.
  private(set) var blocks: [LengthBlock] = []
  private let blockSize: Int
  /// The number of bytes of the last block that are in use.
  private var used = 0

  /// - Parameter runCount: the expected number of runs.
  init(runCount: Int) {
    // Most lengths take one byte. If they take more, more blocks are allocated.
    let size = min(runCount, (HugePages.size - LengthRunMemory.padding) >> LengthTable.runBits) << LengthTable.runBits
    // A block must fit a run of the largest width.
    blockSize = max(size, LengthTable.runLength << 2)
  }

  /// Copies a run. The lengths that are not stored are 0.
  mutating func copy(_ stored: StoredLengthRun) -> LengthRunMemory {
    let size = LengthTable.runLength << stored.widthBits
    let memory = allocate(size)
    if let source = stored.lengths.baseAddress { memory.copyMemory(from: source, byteCount: stored.lengths.count) }
    let rest = size - stored.lengths.count
    (memory + stored.lengths.count).initializeMemory(as: UInt8.self, repeating: 0, count: rest)
    return LengthRunMemory(memory, widthBits: stored.widthBits)
  }

  /// Returns a run of zeros.
  mutating func zeros() -> LengthRunMemory {
    let memory = allocate(LengthTable.runLength)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: LengthTable.runLength)
    return LengthRunMemory(memory, widthBits: 0)
  }

  private mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    if let block = blocks.last, used + size <= blockSize {
      defer { used += size }
      return block.memory + used
    }
    let block = LengthBlock(size: blockSize)
    blocks.append(block)
    used = size
    return block.memory
  }
}

/// Memory for the lengths of several runs.
///
/// `@unchecked Sendable`: no lock is needed because it is filled before it is shared with other threads, and not
/// changed afterwards.
final class LengthBlock: @unchecked Sendable {
  private let words: LargeMemory<UInt32>

  fileprivate init(size: Int) {
    // Small pages would take most of the time of reading the lengths.
    words = LargeMemory(count: (size + LengthRunMemory.padding + 3) / 4)
  }

  fileprivate var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(words.start) }

  deinit { words.deallocate() }
}
