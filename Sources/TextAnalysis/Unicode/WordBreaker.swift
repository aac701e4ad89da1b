import CICU

/// ICU's word boundaries (UAX #29 and its dictionaries, root locale) over UTF-8.
final class WordBreaker {
  private let iterator: OpaquePointer
  private var text: UnsafeMutablePointer<UText>?

  /// - Throws: ``AnalyzerError/unicodeDataUnavailable(service:code:)``.
  init() throws {
    var code: Int32 = 0
    guard let iterator = cicu_openWordBreaks(&code), code <= 0 else {
      throw AnalyzerError.unicodeDataUnavailable(service: "word boundaries", code: Int(code))
    }
    self.iterator = iterator
  }

  deinit {
    cicu_closeBreaks(iterator)
    if let text { cicu_closeText(text) }
  }

  /// Calls `body` with each segment of `bytes[start..<end]`, until it returns false.
  ///
  /// - Returns: false if ICU refused the text, which it does only when memory is exhausted.
  func forEachSegment(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ body: (Int, Int) -> Bool
  ) -> Bool {
    var code: Int32 = 0
    let region = UnsafeRawPointer(bytes + start).assumingMemoryBound(to: CChar.self)
    text = cicu_openUTF8(text, region, Int64(end - start), &code)
    guard code <= 0, let text, cicu_setBreakText(iterator, text) <= 0 else { return false }
    var previous = start
    while true {
      let offset = cicu_nextBreak(iterator)
      guard offset >= 0 else { return true }
      let next = start + Int(offset)
      guard body(previous, next) else { return true }
      previous = next
    }
  }
}
