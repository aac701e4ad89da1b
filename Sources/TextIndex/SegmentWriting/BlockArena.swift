/// Memory for byte strings that grow: blocks whose sizes are powers of two, taken from chunks.
///
/// A string that outgrows its block moves to one of twice the size, and its old block is reused for the next string of
/// that size. All memory is freed together.
struct BlockArena: ~Copyable {
  typealias Bytes = UnsafeMutablePointer<UInt8>

  /// The binary logarithm of the smallest block's size.
  static let smallestClass = 5
  /// The binary logarithm of the size from which blocks are allocated individually.
  private static let largestClass = 20
  private static let chunkSize = 1 << 22

  /// The number of bytes of the chunks that contain blocks, and of large blocks.
  private(set) var allocatedSize = 0
  /// The number of these bytes without the rest of the last chunk.
  var usedSize: Int {
    guard let next, let end else { return allocatedSize }
    return allocatedSize - (end - next)
  }
  private var chunks: [LargeMemory<UInt8>] = []
  /// The number of chunks that contain blocks.
  private var usedChunkCount = 0
  private var largeBlocks: [LargeMemory<UInt8>] = []
  private var next: Bytes?
  private var end: Bytes?
  /// Free blocks by class, each with the address of the next at its start.
  private var free = [Bytes?](repeating: nil, count: BlockArena.largestClass)

  deinit {
    for block in chunks + largeBlocks { block.deallocate() }
  }

  /// Makes all memory available for other blocks. Large blocks are freed.
  mutating func removeAll() {
    for block in largeBlocks { block.deallocate() }
    largeBlocks = []
    usedChunkCount = 0
    (next, end) = (nil, nil)
    for sizeClass in free.indices { free[sizeClass] = nil }
    allocatedSize = 0
  }

  /// Returns a block of `1 << sizeClass` bytes.
  mutating func allocate(_ sizeClass: Int) -> Bytes {
    let size = 1 << sizeClass
    if sizeClass >= BlockArena.largestClass { return allocateLargeBlock(size) }
    if let block = free[sizeClass] {
      free[sizeClass] = UnsafeRawPointer(block).loadUnaligned(as: Bytes?.self)
      return block
    }
    return take(size)
  }

  /// Makes a block available again. Large blocks are freed only with the arena.
  mutating func release(_ block: Bytes, _ sizeClass: Int) {
    guard sizeClass < BlockArena.largestClass else { return }
    UnsafeMutableRawPointer(block).storeBytes(of: free[sizeClass], as: Bytes?.self)
    free[sizeClass] = block
  }

  /// Returns a copy of bytes that never grows. It must be shorter than a chunk.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Bytes {
    let copy = take(bytes.count)
    if let source = bytes.baseAddress { UnsafeMutableRawPointer(copy).copyMemory(from: source, byteCount: bytes.count) }
    return copy
  }

  private mutating func take(_ size: Int) -> Bytes {
    if let start = next, let end, end - start >= size {
      next = start + size
      return start
    }
    let chunk = takeChunk()
    next = chunk + size
    end = chunk + BlockArena.chunkSize
    return chunk
  }

  private mutating func takeChunk() -> Bytes {
    defer { usedChunkCount += 1 }
    allocatedSize += BlockArena.chunkSize
    if usedChunkCount < chunks.count { return chunks[usedChunkCount].start }
    // Most of the first chunk of a small table is not used, so clearing a huge page for it would take longer.
    let chunk = LargeMemory<UInt8>(count: BlockArena.chunkSize, isSoonFilled: !chunks.isEmpty)
    chunks.append(chunk)
    return chunk.start
  }

  private mutating func allocateLargeBlock(_ size: Int) -> Bytes {
    let block = LargeMemory<UInt8>(count: size)
    largeBlocks.append(block)
    allocatedSize += size
    return block.start
  }
}
