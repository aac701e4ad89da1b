import Foundation

/// A LIKE pattern: `%` matches any run of characters, `_` one character, and `\` escapes the next character.
///
/// A character is a code point, and case is significant. ``CaselessLikeMatcher`` ignores case. To compare by a
/// collation, match the ``tokens``. For regular expressions see ``Pattern``.
///
/// ```swift
/// LikePattern("%mutex_lock%").matches(bytes)
/// ```
///
/// - Complexity: O(n) for a text of n bytes and a pattern without `_`, as fast as memmem. With `_`, the matcher
///   searches for the longest literal between two `%` and compares the characters around each occurrence: O(n · m) in
///   the worst case for a pattern of m bytes. The text between two `%` is matched leftmost without backtracking, so the
///   time cannot grow exponentially.
public struct LikePattern: Hashable, Sendable {
  /// A part of a pattern.
  public enum Token: Hashable, Sendable {
    /// Literal characters in UTF-8.
    case literal([UInt8])
    /// `_`
    case anyCharacter
    /// `%`
    case anyRun
  }

  /// The tokens. Two literals or two runs are never adjacent.
  public let tokens: [Token]

  /// The part between two `%`: literals and `_`.
  struct Segment: Hashable, Sendable {
    var tokens: [Token] = []
    /// The longest literal, which is searched for.
    var literal: [UInt8] = []
    /// The number of characters before it.
    var charactersBefore = 0
    /// The number of characters in the segment.
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

  /// The part before the first `%`, the parts between consecutive `%`, and the part after the last `%`.
  let segments: [Segment]

  /// Parses a pattern. Every text is valid; a `\` at its end is literal.
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

  /// The literal prefix of every match; empty if there is none. An index can search for it.
  public var literalPrefix: [UInt8] {
    if case .literal(let bytes)? = tokens.first { return bytes }
    return []
  }

  /// Returns whether the whole text matches. The result is meaningful only for valid UTF-8.
  ///
  /// - Parameter shouldEnd: called regularly during a long search. Once it returns true, the result is false.
  public func matches(_ text: UnsafeRawBufferPointer, shouldEnd: (() -> Bool)? = nil) -> Bool {
    guard let first = segments.first, let last = segments.last,
      var index = end(of: first, in: text, at: 0)
    else { return false }
    if segments.count == 1 { return index == text.count }
    for segment in segments[1..<(segments.count - 1)] {
      guard let next = find(segment, in: text, from: index, shouldEnd) else { return false }
      index = next
    }
    guard let start = start(of: last, in: text) else { return false }
    return start >= index
  }

  /// Returns the end of the segment if it matches at `start`.
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

  /// Returns the start of the segment if it matches at the end of the text.
  private func start(of segment: Segment, in text: UnsafeRawBufferPointer) -> Int? {
    guard let start = LikePattern.offset(segment.count, before: text.count, in: text),
      end(of: segment, in: text, at: start) == text.count
    else { return nil }
    return start
  }

  /// Returns the offset `count` characters before another, or nil if there are fewer.
  static func offset(_ count: Int, before end: Int, in text: UnsafeRawBufferPointer) -> Int? {
    var index = end
    for _ in 0..<count {
      guard index > 0 else { return nil }
      index -= 1
      while index > 0, text[index] & 0xC0 == 0x80 { index -= 1 }
    }
    return index
  }

  /// The number of occurrences of a literal between two calls to `shouldEnd` in ``matches(_:shouldEnd:)``.
  private static let hitsBetweenChecks = 256

  /// Returns the end of the first occurrence of the segment.
  private func find(
    _ segment: Segment, in text: UnsafeRawBufferPointer, from start: Int, _ shouldEnd: (() -> Bool)?
  ) -> Int? {
    // A segment without a literal matches at the start offset if enough characters follow.
    if segment.literal.isEmpty { return end(of: segment, in: text, at: start) }
    var offset = start
    var hits = 0
    while let hit = ByteSearch.first(segment.literal, in: text, from: offset) {
      hits += 1
      if hits % LikePattern.hitsBetweenChecks == 0, shouldEnd?() == true { return nil }
      if let begin = LikePattern.offset(segment.charactersBefore, before: hit, in: text), begin >= start,
        let end = end(of: segment, in: text, at: begin)
      {
        return end
      }
      offset = hit + 1
    }
    return nil
  }
}
