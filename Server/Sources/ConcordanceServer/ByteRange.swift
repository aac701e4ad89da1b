import HTTPTypes

/// The range of a `Range` header: `bytes=0-99`, `bytes=100-` or `bytes=-100`.
struct ByteRange: Hashable {
  let range: Range<Int>

  /// Parses a header. Returns nil if it has a different form; such a header is ignored (RFC 9110).
  ///
  /// - Throws: ``Problem`` with status 416 if the range is outside the content.
  init?(_ header: String, length: Int) throws {
    guard header.hasPrefix("bytes="), !header.contains(",") else { return nil }
    let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    // `Int` accepts a sign, which is not allowed in the header. A position that no content has may have any length.
    func number(_ text: Substring) -> Int? {
      guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
      }
      return Int(text) ?? Int.max
    }
    switch (number(parts[0]), number(parts[1])) {
    case (let first?, let last?) where first <= last:
      range = first..<(min(last, length - 1).addingOne(atLeast: first))
    case (let first?, nil) where parts[1].isEmpty: range = first..<max(first, length)
    case (nil, let count?) where parts[0].isEmpty: range = max(0, length - min(count, length))..<length
    default: return nil
    }
    guard !range.isEmpty, range.upperBound <= length else {
      var problem = Problem(.rangeNotSatisfiable, "invalid_range", "the content has \(length) bytes")
      problem.headers[.contentRange] = "bytes */\(length)"
      throw problem
    }
  }
}

extension Int {
  fileprivate func addingOne(atLeast minimum: Int) -> Int { Swift.max(self + 1, minimum) }
}
