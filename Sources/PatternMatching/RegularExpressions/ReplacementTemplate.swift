/// What takes the place of a match: text with `$1`, `${1}` or `${name}` for groups, `$0` for the match, `$$` for a dollar.
///
/// A group that took no part, and one that the expression does not have, is empty, as in Go's `regexp`, which is what the
/// server's REGEXP_REPLACE uses. Any other `$` stands for itself.
public struct ReplacementTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case group(Int)
    case name(String)
  }

  let parts: [Part]

  /// Reads a template. Every text is one.
  public init(_ template: String) {
    let bytes = Array(template.utf8)
    var parts: [Part] = []
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "$"), let (part, end) = ReplacementTemplate.reference(in: bytes, at: index + 1) {
        if !text.isEmpty { parts.append(.text(text)) }
        text = []
        parts.append(part)
        index = end
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }

  /// What stands behind a dollar at `start`, and where it ends.
  private static func reference(in bytes: [UInt8], at start: Int) -> (Part, Int)? {
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "$") { return (.text([UInt8(ascii: "$")]), start + 1) }
    if bytes[start] == UInt8(ascii: "{") {
      guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "}")), close > start + 1 else { return nil }
      let name = String(decoding: bytes[(start + 1)..<close], as: UTF8.self)
      return (Int(name).map { .group($0) } ?? .name(name), close + 1)
    }
    var end = start
    while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
    guard let number = Int(String(decoding: bytes[start..<end], as: UTF8.self)) else { return nil }
    return (.group(number), end)
  }
}

extension PatternMatcher {
  /// The text with matches replaced, the first `limit` of them, or all.
  ///
  /// - Parameter maximumSize: the longest result.
  /// - Returns: nil if the result would be longer. Up to then no more than twice as much memory is used, and the length of one
  ///   replacement.
  public func replacing(
    in text: UnsafeRawBufferPointer, with template: ReplacementTemplate, limit: Int = .max, maximumSize: Int = .max
  ) throws(PatternError) -> [UInt8]? {
    var result: [UInt8] = []
    var end = 0
    var remaining = limit
    if remaining > 0 {
      try forEachMatch(in: text) { match in
        // A match that \K moved back begins at the end of the last one at the earliest.
        result.append(contentsOf: text[end..<max(end, match.lowerBound)])
        append(template, of: text, to: &result)
        end = max(end, match.upperBound)
        remaining -= 1
        return remaining > 0 && result.count <= maximumSize
      }
    }
    guard result.count <= maximumSize, text.count - end <= maximumSize - result.count else { return nil }
    result.append(contentsOf: text[end...])
    return result
  }

  /// Appends what the template makes of the last match, which was one in this text.
  ///
  /// - Parameter groupsBefore: how many groups are counted in front of those of this expression, where it is one of several.
  public func append(
    _ template: ReplacementTemplate, of text: UnsafeRawBufferPointer, to result: inout [UInt8], groupsBefore: Int = 0
  ) {
    for part in template.parts {
      let group: Int?
      switch part {
      case .text(let bytes):
        result.append(contentsOf: bytes)
        continue
      case .group(let number): group = number == 0 ? 0 : number > groupsBefore ? number - groupsBefore : nil
      case .name(let name): group = pattern.group(named: name)
      }
      if let group, let range = range(of: group) { result.append(contentsOf: text[range]) }
    }
  }
}
