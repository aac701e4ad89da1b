import Foundation

/// A pattern of LIKE: `%` stands for any run of characters, `_` for one, and `\` takes the meaning of what follows.
///
/// A character is a code point; case counts. For letters in either case see ``CaselessLikeMatcher``; not for regular
/// expressions, see ``Pattern``, and not for collations: they work on ``tokens``.
///
/// ```swift
/// LikePattern("%mutex_lock%").matches(bytes)
/// ```
///
/// - Complexity: O(n) for a text of n bytes and a pattern without `_`, as fast as memmem. With `_` the longest literal between
///   two `%` is looked for and what is around it compared there: O(n · m) at worst for a pattern of m bytes. What
///   stands between two `%` is looked for from the left and never again, so nothing can explode as a regular expression may.
public struct LikePattern: Hashable, Sendable {
  /// A part of a pattern.
  public enum Token: Hashable, Sendable {
    /// Characters that stand for themselves, UTF-8.
    case literal([UInt8])
    /// `_`
    case anyCharacter
    /// `%`
    case anyRun
  }

  /// The parts, with no two literals and no two runs side by side.
  public let tokens: [Token]

  /// What stands between two `%`: literals and `_`.
  struct Segment: Hashable, Sendable {
    var tokens: [Token] = []
    /// The longest literal, which is looked for.
    var literal: [UInt8] = []
    /// How many characters stand before it.
    var charactersBefore = 0
    /// How many characters there are.
    var count = 0

    mutating func append(_ token: Token) {
      tokens.append(token)
      guard case .literal(let bytes) = token else {
        count += 1
        return
      }
      if bytes.count > literal.count {
        literal = bytes
        charactersBefore = count
      }
      count += bytes.count { $0 & 0xC0 != 0x80 }
    }
  }

  /// What stands before the first `%`, between each two, and behind the last.
  let segments: [Segment]

  /// Reads a pattern. Every text is one; a `\` at its end stands for itself.
  public init(_ pattern: String) {
    var tokens: [Token] = []
    var literal: [UInt8] = []
    var isEscaped = false
    func flush() {
      if !literal.isEmpty { tokens.append(.literal(literal)) }
      literal = []
    }
    for byte in pattern.utf8 {
      switch byte {
      case _ where isEscaped:
        literal.append(byte)
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "%"):
        flush()
        if tokens.last != .anyRun { tokens.append(.anyRun) }
      case UInt8(ascii: "_"):
        flush()
        tokens.append(.anyCharacter)
      default: literal.append(byte)
      }
    }
    if isEscaped { literal.append(UInt8(ascii: "\\")) }
    flush()
    self.tokens = tokens

    var segments = [Segment()]
    for token in tokens {
      if token == .anyRun { segments.append(Segment()) } else { segments[segments.count - 1].append(token) }
    }
    self.segments = segments
  }

  /// The literal that every match begins with; empty where there is none. An index can look for it.
  public var literalPrefix: [UInt8] {
    if case .literal(let bytes)? = tokens.first { return bytes }
    return []
  }

  /// Whether all of the text matches. It is UTF-8; on other bytes the answer is of no use.
  public func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = segments.first, let last = segments.last,
      var index = end(of: first, in: text, at: 0)
    else { return false }
    if segments.count == 1 { return index == text.count }
    for segment in segments[1..<(segments.count - 1)] {
      guard let next = find(segment, in: text, from: index) else { return false }
      index = next
    }
    guard let start = start(of: last, in: text) else { return false }
    return start >= index
  }

  /// Where the segment ends if it stands at `start`.
  private func end(of segment: Segment, in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
    var index = start
    for token in segment.tokens {
      guard case .literal(let bytes) = token else {
        guard index < text.count else { return nil }
        index += 1
        while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
        continue
      }
      guard text.count - index >= bytes.count, let base = text.baseAddress,
        memcmp(base + index, bytes, bytes.count) == 0
      else { return nil }
      index += bytes.count
    }
    return index
  }

  /// Where the segment begins if it stands at the end of the text.
  private func start(of segment: Segment, in text: UnsafeRawBufferPointer) -> Int? {
    guard let start = LikePattern.place(segment.count, before: text.count, in: text),
      end(of: segment, in: text, at: start) == text.count
    else { return nil }
    return start
  }

  /// The place so many characters before another, or nil where there are fewer.
  static func place(_ count: Int, before end: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var index = end
    for _ in 0..<count {
      guard index > 0 else { return nil }
      index -= 1
      while index > 0, text[index] & 0xC0 == 0x80 { index -= 1 }
    }
    return index
  }

  /// Where the first occurrence of the segment ends.
  private func find(_ segment: Segment, in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    // Without a literal, the first characters will do.
    if segment.literal.isEmpty { return end(of: segment, in: text, at: start) }
    var place = start
    while let hit = ByteSearch.first(segment.literal, in: text, from: place) {
      if let begin = LikePattern.place(segment.charactersBefore, before: hit, in: text), begin >= start,
        let end = end(of: segment, in: text, at: begin)
      {
        return end
      }
      place = hit + 1
    }
    return nil
  }
}
