/// Small sets of byte strings, which the analysis of a pattern computes with: what a part can match, begin and end with.
enum ByteStrings {
  /// The strings of both, each once.
  static func union(_ one: [[UInt8]], _ other: [[UInt8]]) -> [[UInt8]] {
    one == other ? one : unique(one + other)
  }

  /// Every string of the one followed by every string of the other, or nil for more than `limit` strings or more than
  /// `maximumBytes`.
  static func product(_ one: [[UInt8]], _ other: [[UInt8]], limit: Int, maximumBytes: Int = 1024) -> [[UInt8]]? {
    guard one.count * other.count <= limit else { return nil }
    let bytes = other.count * one.reduce(0) { $0 + $1.count } + one.count * other.reduce(0) { $0 + $1.count }
    guard bytes <= maximumBytes else { return nil }
    return unique(one.flatMap { start in other.map { start + $0 } })
  }

  /// The first bytes of each, at most two, which is what a trigram can take of one side; fewer where there are many.
  static func heads(_ strings: [[UInt8]]) -> [[UInt8]] { cut(strings) { Array($0.prefix($1)) } }

  /// The last bytes of each, at most two; fewer where there are many.
  static func tails(_ strings: [[UInt8]]) -> [[UInt8]] { cut(strings) { Array($0.suffix($1)) } }

  private static let maximumAffixes = 64

  private static func cut(_ strings: [[UInt8]], _ take: ([UInt8], Int) -> [UInt8]) -> [[UInt8]] {
    for length in [2, 1] {
      let short = unique(strings.map { take($0, length) })
      // Next to a string of which nothing is known, the others are of no use.
      if short.contains([]) { return [[]] }
      if short.count <= maximumAffixes { return short }
    }
    return [[]]
  }

  static func unique(_ strings: [[UInt8]]) -> [[UInt8]] {
    guard strings.count > 1 else { return strings }
    var seen = Set<[UInt8]>()
    return strings.filter { seen.insert($0).inserted }
  }
}
