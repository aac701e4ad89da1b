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
    guard cicu_setText(breaks, bytes + start, Int64(end - start)) <= 0 else { return false }
    var previous = start
    while true {
      let offset = cicu_nextBreak(breaks)
      guard offset >= 0 else { return true }
      let next = start + Int(offset)
      guard body(previous, next) else { return true }
      previous = next
    }
  }
}
