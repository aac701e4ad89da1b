import Foundation

/// Memory in huge pages of the processor, for large tables.
///
/// The system clears one page of this size faster than it provides 512 small pages, and the processor finds the addresses of
/// random reads without walking page tables.
enum HugePages {
  /// The size of a huge page in bytes. Smaller memory would waste most of one.
  static let size = 2 << 20

  /// Allocates uninitialized memory, in huge pages if it is at least as large as one. Free it with `deallocate()`.
  static func allocate<T: BitwiseCopyable>(_ type: T.Type, capacity: Int) -> UnsafeMutablePointer<T> {
    let byteCount = capacity * MemoryLayout<T>.stride
    guard byteCount >= size else { return .allocate(capacity: capacity) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: size)
    #if os(Linux)
      // If the system has no huge pages, it provides small ones.
      _ = madvise(memory, byteCount, MADV_HUGEPAGE)
    #endif
    return memory.bindMemory(to: type, capacity: capacity)
  }
}
