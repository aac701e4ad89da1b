import Foundation

/// A byte buffer with a stable address until bytes are appended. It is reused for several files to avoid allocations.
///
/// Not `Sendable`: it has one owner on one thread.
final class ByteBuffer {
  private var storage: UnsafeMutableRawBufferPointer
  /// The number of bytes in the buffer.
  private(set) var count = 0

  init(capacity: Int = 0) {
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { storage.deallocate() }

  /// The bytes, valid until the buffer is changed or freed.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count])
  }

  /// A copy of the bytes, for use after the buffer is freed.
  var array: [UInt8] { withExtendedLifetime(self) { [UInt8](bytes) } }

  func removeAll() { count = 0 }

  /// Removes the first bytes and moves the rest to the front.
  func removeFirst(_ removed: Int) {
    guard removed > 0, let base = storage.baseAddress else { return }
    memmove(base, base + removed, count - removed)
    count -= removed
  }

  /// Reserves space for the given number of additional bytes.
  func reserve(_ additional: Int) {
    guard storage.count - count < additional else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(count + additional, storage.count * 2), alignment: 16)
    larger.copyMemory(from: bytes)
    storage.deallocate()
    storage = larger
  }

  func append(_ byte: UInt8) {
    reserve(1)
    storage[count] = byte
    count += 1
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    fill(atMost: bytes.count) { buffer in
      buffer.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Calls `body` with `size` bytes of free space, and appends as many of them as it returns.
  func fill<E: Error>(
    atMost size: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    reserve(size)
    count += try body(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + size)]))
  }
}
