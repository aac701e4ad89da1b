/// Memory for the terms of successive documents, which is freed with the last of them.
///
/// `@unchecked Sendable`: only the thread that creates documents calls ``reserve(_:in:)``. Other threads read the parts
/// that it has filled before it passed the documents on through a queue that has a lock.
final class TermMemory: @unchecked Sendable {
  private let bytes: UnsafeMutableRawPointer
  private let capacity: Int
  private var usedCount = 0

  /// The largest memory that several documents share. Each of them keeps all of it.
  private static let largestSharedCapacity = 64 << 10

  /// - Parameter capacity: the number of bytes.
  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(byteCount: capacity, alignment: MemoryLayout<Int>.alignment)
  }

  deinit { bytes.deallocate() }

  /// Returns memory that is aligned for integers and that no other document uses, and its owner.
  ///
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - memory: the memory of the previous document. If it has too little room, it is replaced. Its capacity is doubled
  ///     each time, so that a single document keeps only what it needs. A large document gets separate memory.
  static func reserve(_ count: Int, in memory: inout TermMemory) -> (owner: TermMemory, start: UnsafeMutableRawPointer)
  {
    if count > largestSharedCapacity / 4 {
      let own = TermMemory(capacity: count)
      return (own, own.bytes)
    }
    if memory.capacity - memory.usedCount < count {
      memory = TermMemory(capacity: max(count, min(2 * memory.capacity, largestSharedCapacity)))
    }
    let start = memory.bytes + memory.usedCount
    let alignment = MemoryLayout<Int>.alignment
    memory.usedCount += (count + alignment - 1) & ~(alignment - 1)
    return (memory, start)
  }
}
