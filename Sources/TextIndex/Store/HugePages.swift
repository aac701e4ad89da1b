import Foundation

/// Memory in huge pages of the processor, for large tables.
///
/// The system clears one page of this size faster than it provides 512 small pages, and the processor finds the
/// addresses of random reads without walking page tables.
enum HugePages {
  /// The size of a huge page in bytes.
  static let size = 2 << 20
  /// The size of the smallest memory that takes a huge page. Smaller memory would waste more than a quarter of it.
  private static let smallestSize = size / 4 * 3

  /// Allocates uninitialized memory, in huge pages if it takes most of one. Free it with `deallocate()`.
  static func allocate<T: BitwiseCopyable>(_ type: T.Type, capacity: Int) -> UnsafeMutablePointer<T> {
    let needed = capacity * MemoryLayout<T>.stride
    guard needed >= smallestSize else { return .allocate(capacity: capacity) }
    // A part of a page would not be a huge page.
    let byteCount = max(needed, size)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: size)
    #if os(Linux)
      // If the system has no huge pages, it provides small ones.
      _ = madvise(memory, byteCount, MADV_HUGEPAGE)
    #endif
    return memory.bindMemory(to: type, capacity: capacity)
  }
}
