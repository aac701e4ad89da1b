/// Matches globs against bytes, with the rules of git's `wildmatch.c`.
///
/// `?` matches a byte, `*` any number of bytes, `[a-z]`, `[!a]` and `[[:alpha:]]` a byte of a class; `\` escapes the
/// next byte. In paths, `?`, `*` and classes do not match a slash, but `**` between slashes or at either end does.
struct GlobMatcher {
  /// The result of a match. The two aborts end searches that can no longer succeed, which prevents exponential time.
  private enum Outcome {
    case match, noMatch
    /// The text ended before the pattern.
    case abortAll
    /// A slash blocks `*`; only an earlier `**` can match it.
    case abortToStarStar
  }

  private let pattern: UnsafeRawBufferPointer
  private let text: UnsafeRawBufferPointer
  private let isPath: Bool

  /// Returns whether `pattern` matches all of `text`.
  static func matches(
    _ pattern: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, isPath: Bool
  ) -> Bool {
    GlobMatcher(pattern: pattern, text: text, isPath: isPath).match(0, 0) == .match
  }

  /// Returns whether a byte has a special meaning in a pattern.
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "\\")
  }

  private func match(_ patternStart: Int, _ textStart: Int) -> Outcome {
    var p = patternStart
    var t = textStart
    while p < pattern.count {
      if t == text.count, pattern[p] != UInt8(ascii: "*") { return .abortAll }
      switch pattern[p] {
      case UInt8(ascii: "?"):
        if isPath, text[t] == UInt8(ascii: "/") { return .noMatch }
      case UInt8(ascii: "["):
        guard let (end, isMember) = GlobClass.match(text[t], in: pattern, at: p) else { return .abortAll }
        if !isMember || (isPath && text[t] == UInt8(ascii: "/")) { return .noMatch }
        p = end
      case UInt8(ascii: "*"):
        var crossesSlash = !isPath
        let star = p
        while p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
        if isPath, p - star > 1, isBounded(star, p, start: patternStart) {
          // `a/**/b` also matches `a/b`: try without the middle part.
          if p < pattern.count, pattern[p] == UInt8(ascii: "/") {
            let outcome = match(p + 1, t)
            if outcome == .match || outcome == .abortAll { return outcome }
          }
          crossesSlash = true
        }
        if p == pattern.count { return crossesSlash || !hasSlash(from: t) ? .match : .abortToStarStar }
        if !crossesSlash, pattern[p] == UInt8(ascii: "/") {
          // A single star before a slash matches everything up to the next slash.
          while t < text.count, text[t] != UInt8(ascii: "/") { t += 1 }
          if t == text.count { return .abortAll }
          break
        }
        return matchAfterStar(p, t, crossesSlash: crossesSlash)
      case UInt8(ascii: "\\"):
        p += 1
        // A trailing backslash matches nothing.
        if p == pattern.count || text[t] != pattern[p] { return .noMatch }
      default:
        if text[t] != pattern[p] { return .noMatch }
      }
      p += 1
      t += 1
    }
    return t == text.count ? .match : .noMatch
  }

  private func matchAfterStar(_ p: Int, _ textStart: Int, crossesSlash: Bool) -> Outcome {
    var t = textStart
    let literal = GlobMatcher.isSpecial(pattern[p]) ? nil : pattern[p]
    while t < text.count {
      if let literal {
        while t < text.count, text[t] != literal, crossesSlash || text[t] != UInt8(ascii: "/") { t += 1 }
        if t == text.count || text[t] != literal { return crossesSlash ? .abortAll : .abortToStarStar }
      }
      let outcome = match(p, t)
      if outcome != .noMatch {
        if !crossesSlash || outcome != .abortToStarStar { return outcome }
      } else if !crossesSlash, text[t] == UInt8(ascii: "/") {
        return .abortToStarStar
      }
      t += 1
    }
    return .abortAll
  }

  /// Returns whether the stars are a whole path component. As in git, matching restarts after a star, and the position
  /// where it restarts counts as the start of a component.
  private func isBounded(_ star: Int, _ end: Int, start: Int) -> Bool {
    guard star == start || pattern[star - 1] == UInt8(ascii: "/") else { return false }
    if end == pattern.count || pattern[end] == UInt8(ascii: "/") { return true }
    return end + 1 < pattern.count && pattern[end] == UInt8(ascii: "\\")
      && pattern[end + 1] == UInt8(ascii: "/")
  }

  private func hasSlash(from start: Int) -> Bool {
    var t = start
    while t < text.count {
      if text[t] == UInt8(ascii: "/") { return true }
      t += 1
    }
    return false
  }
}
