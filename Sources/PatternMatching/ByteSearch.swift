import CPCRE2

/// Byte string search.
public enum ByteSearch {
  /// Returns the offset of the first occurrence at or after `start`, or nil. An empty string occurs everywhere.
  ///
  /// - Complexity: O(n + m), in constant space (memmem).
  public static func first(
    _ wanted: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int = 0
  ) -> Int? {
    guard start >= 0, start <= text.count else { return nil }
    guard let needle = wanted.baseAddress, !wanted.isEmpty else { return start }
    guard let base = text.baseAddress,
      let hit = memmem(base + start, text.count - start, needle, wanted.count)
    else { return nil }
    return UnsafeRawPointer(hit) - base
  }

  /// Returns the offset of the first occurrence at or after `start`, or nil.
  public static func first(_ wanted: [UInt8], in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    wanted.withUnsafeBytes { first($0, in: text, from: start) }
  }

  /// Returns the offset of the first occurrence at or after `start`, or nil.
  public static func first(_ wanted: [UInt8], in text: [UInt8], from start: Int = 0) -> Int? {
    text.withUnsafeBytes { first(wanted, in: $0, from: start) }
  }
}
