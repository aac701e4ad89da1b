/// A text to match, with the known properties of its bytes. The bytes are checked once, even if the text is searched
/// many times.
///
/// ```swift
/// let text = PatternText(bytes, isValidUTF8: true)   // checked when it was stored
/// while let match = try matcher.firstMatch(in: text, from: offset) { … }
/// ```
///
/// A value must not be used after its bytes are deallocated.
public struct PatternText {
  /// The bytes.
  public let bytes: UnsafeRawBufferPointer
  let kind: CompiledPattern.Variant.Text

  /// Creates a text from bytes.
  ///
  /// - Parameter isValidUTF8: whether the bytes are known to be valid UTF-8. If true, they are not checked, and PCRE2
  ///   may read out of bounds if they are invalid. If in doubt, pass false: invalid text is then matched safely,
  ///   slightly slower.
  /// - Complexity: O(n), at tens of gigabytes per second, to detect ASCII text, which is matched faster.
  public init(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool = false) {
    self.bytes = bytes
    kind = PatternText.isASCII(bytes) ? .ascii : isValidUTF8 ? .utf8 : .bytes
  }

  /// Creates a text whose bytes are not checked.
  init(valid bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    kind = .utf8
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    // The highest bit of each byte is its sign, so one test covers many bytes.
    while bytes.count - index >= 64 {
      var union = SIMD16<Int8>.zero
      for part in 0..<4 { union |= base.loadUnaligned(fromByteOffset: index + 16 * part, as: SIMD16<Int8>.self) }
      if any(union .< .zero) { return false }
      index += 64
    }
    while index < bytes.count {
      if bytes[index] >= 0x80 { return false }
      index += 1
    }
    return true
  }
}
