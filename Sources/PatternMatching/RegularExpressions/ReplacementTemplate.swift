/// A template for replacing matches: text with `$1`, `${1}` or `${name}` for groups, `$0` for the match, `$$` for a
/// dollar.
///
/// A group that did not participate or does not exist is empty, as in Go's `regexp`, which Couchbase Server uses for
/// REGEXP_REPLACE. Any other `$` is literal.
public struct ReplacementTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case group(Int)
    case name(String)
  }

  let parts: [Part]

  /// Parses a template. Every text is valid.
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

  /// Parses the reference after a dollar at `start`; returns it with its end.
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
  /// Returns the text with the first `limit` matches replaced; by default, with all matches replaced.
  ///
  /// - Parameter maximumSize: the maximum size of the result in bytes.
  /// - Returns: Nil if the result would be larger. Even then, at most twice `maximumSize` plus the length of one
  ///   replacement is allocated.
  public func replacing(
    in text: UnsafeRawBufferPointer, with template: ReplacementTemplate, limit: Int = .max, maximumSize: Int = .max
  ) throws(PatternError) -> [UInt8]? {
    var result: [UInt8] = []
    var end = 0
    var remaining = limit
    if remaining > 0 {
      try forEachMatch(in: text) { match in
        // With `\K`, a match can start before the end of the previous one. Only the part after that end is replaced.
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

  /// Appends the result of the template for the last match, which must be a match in this text.
  ///
  /// - Parameter groupsBefore: the number of groups of the preceding expressions, if this is one of several expressions
  ///   whose groups are numbered consecutively.
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
