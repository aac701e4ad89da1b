/// Small sets of byte strings for pattern analysis: the strings that a part of a pattern can match, their prefixes and
/// their suffixes.
enum ByteStrings {
  /// Returns every string of `one` followed by every string of `other`, or nil if there are more than `limit` strings
  /// or more than `maximumBytes` bytes.
  static func product(_ one: [[UInt8]], _ other: [[UInt8]], limit: Int, maximumBytes: Int = 1024) -> [[UInt8]]? {
    guard one.count * other.count <= limit else { return nil }
    let bytes = other.count * one.reduce(0) { $0 + $1.count } + one.count * other.reduce(0) { $0 + $1.count }
    guard bytes <= maximumBytes else { return nil }
    return unique(one.flatMap { start in other.map { start + $0 } })
  }

  /// Returns the first bytes of each string: at most two, because a trigram that crosses the start of the string
  /// contains at most two of its bytes; fewer if there are many strings.
  static func prefixes(_ strings: [[UInt8]]) -> [[UInt8]] { cut(strings) { Array($0.prefix($1)) } }

  /// Returns the last bytes of each string: at most two, fewer if there are many strings.
  static func suffixes(_ strings: [[UInt8]]) -> [[UInt8]] { cut(strings) { Array($0.suffix($1)) } }

  private static let maximumAffixes = 64

  private static func cut(_ strings: [[UInt8]], _ take: ([UInt8], Int) -> [UInt8]) -> [[UInt8]] {
    for length in [2, 1] {
      let short = unique(strings.map { take($0, length) })
      // An empty string makes the other strings redundant.
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
