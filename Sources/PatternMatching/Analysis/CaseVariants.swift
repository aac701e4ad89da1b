import Synchronization

/// The characters that match each other when case is ignored: `k` matches U+212A KELVIN SIGN, `s` matches `ſ`, `σ`
/// matches `ς`. PCRE2 itself computes them, so that they do not depend on another library's Unicode version.
enum CaseVariants {
  /// Returns a character and all characters that match it; nil if PCRE2 fails, which happens only when it is out of
  /// memory.
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    guard !scalar.isASCII else { return ofASCII(scalar) }
    if let known = cache.withLock({ $0[scalar] }) { return known }
    guard let others = matches(of: scalar) else { return nil }
    let variants = [scalar] + others.filter { $0 != scalar }
    cache.withLock { if $0.count < 10_000 { $0[scalar] = variants } }
    return variants
  }

  private static func ofASCII(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let value = UInt8(truncatingIfNeeded: scalar.value)
    guard (value | 0x20) &- 0x61 < 26 else { return [scalar] }
    let both = [Unicode.Scalar(value), Unicode.Scalar(value ^ 0x20)]
    switch value | 0x20 {
    case UInt8(ascii: "k"): return both + ["\u{212A}"]
    case UInt8(ascii: "s"): return both + ["\u{17F}"]
    default: return both
    }
  }

  private static let cache = Mutex<[Unicode.Scalar: [Unicode.Scalar]]>([:])

  /// Every character that may have another case: letters with case, numbers such as `Ⅳ`, symbols such as `Ⓐ`, and one
  /// mark, U+0345. Unicode has none above plane 1: planes 2 and 3 contain ideographs, the others no letters.
  private static let candidates: [UInt8] = {
    var all: [UInt8] = []
    for value in 0..<UInt32(0x20000) {
      if let scalar = Unicode.Scalar(value) { all += UTF8.encode(scalar).map { Array($0) } ?? [] }
    }
    return allMatches(#"[\p{L&}\p{Nl}\p{So}\p{Mn}]+"#, PatternOptions(), in: all) ?? all
  }()

  private static func matches(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    var options = PatternOptions()
    options.isLiteral = true
    options.ignoresCase = true
    guard let bytes = allMatches(String(scalar), options, in: candidates) else { return nil }
    return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  /// Returns all matches, concatenated; nil if PCRE2 fails.
  private static func allMatches(_ pattern: String, _ options: PatternOptions, in text: [UInt8]) -> [UInt8]? {
    guard let matcher = try? PatternMatcher(Pattern(pattern, options: options)) else { return nil }
    var matches: [UInt8] = []
    let complete: Void? = text.withUnsafeBytes { text in
      try? matcher.forEachMatch(in: text) { match in
        matches += text[match]
        return true
      }
    }
    return complete.map { matches }
  }
}
