import CICU

/// Finds word boundaries in UTF-8 with ICU: UAX #29 and ICU's dictionaries, root locale.
final class WordBreaker {
  private let breaks: OpaquePointer

  /// Opens a break iterator.
  ///
  /// - Throws: ``AnalyzerError/unicodeDataUnavailable(service:code:)``.
  init() throws {
    var code: Int32 = 0
    guard let breaks = cicu_openWordBreaks(&code) else {
      throw AnalyzerError.unicodeDataUnavailable(service: "word boundaries", code: Int(code))
    }
    self.breaks = breaks
  }

  deinit { cicu_closeWordBreaks(breaks) }

  /// Calls `body` with each segment of `bytes[start..<end]`, until it returns false.
  ///
  /// - Returns: False if ICU rejects the text, which happens only when it runs out of memory.
  func forEachSegment(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ body: (Int, Int) -> Bool
  ) -> Bool {
    if let replaced = WordBreaker.withJoiningCharacters(
      UnsafeBufferPointer(start: bytes + start, count: end - start))
    {
      return replaced.withUnsafeBufferPointer { text in
        text.baseAddress.map { forEachSegmentUnchanged($0, end - start) { body(start + $0, start + $1) } } ?? true
      }
    }
    return forEachSegmentUnchanged(bytes + start, end - start) { body(start + $0, start + $1) }
  }

  private func forEachSegmentUnchanged(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ body: (Int, Int) -> Bool) -> Bool
  {
    guard cicu_setText(breaks, bytes, Int64(count)) <= 0 else { return false }
    var previous = 0
    while true {
      let offset = cicu_nextBreak(breaks)
      guard offset >= 0 else { return true }
      let next = Int(offset)
      guard body(previous, next) else { return true }
      previous = next
    }
  }

  /// Returns a copy of a text in which characters that ICU joins with the same neighbours replace those that only
  /// ``CharacterClass`` joins; nil if it contains none. The offsets of segments stay the same.
  private static func withJoiningCharacters(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let bytes = text.baseAddress else { return nil }
    var copy: [UInt8]?
    var index = 0
    while index < text.count {
      // The characters are in U+2000 to U+2FFF.
      guard text[index] == 0xE2,
        let replacement = joiningCharacters(for: decodeScalar(bytes, index, text.count).value)
      else {
        index += 1
        continue
      }
      if copy == nil { copy = Array(text) }
      copy?.replaceSubrange(index..<index + replacement.count, with: replacement)
      index += replacement.count
    }
    return copy
  }

  /// Returns a replacement of the same length.
  ///
  /// ICU joins only `"` with the Hebrew letters around it, and ignores soft hyphens, so both together replace `“` and
  /// `”`. A Devanagari digit, which has three bytes, replaces a subscript digit.
  private static func joiningCharacters(for value: UInt32) -> [UInt8]? {
    if value == 0x201C || value == 0x201D { return [0x22, 0xC2, 0xAD] }
    return CharacterClass.isSubscriptDigit(value) ? [0xE0, 0xA5, 0xA6] : nil
  }
}
