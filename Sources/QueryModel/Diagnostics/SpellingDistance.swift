/// The edit distance between names, for "did you mean" hints.
public enum SpellingDistance {
  /// Returns the candidate with the smallest edit distance to `name`, or nil if even that distance is too large for the
  /// length of the name.
  public static func closest(to name: String, among candidates: [String]) -> String? {
    // A longer name is unlikely to be a misspelling, and comparing it costs time.
    guard name.utf8.count <= 64 else { return nil }
    let allowed = (name.utf8.count + 1) / 3
    let distances = candidates.map { (name: $0, distance: between(Array(name.utf8), Array($0.utf8))) }
    return distances.filter { $0.distance <= allowed }.min { $0.distance < $1.distance }?.name
  }

  /// Returns the optimal string alignment distance: the least number of insertions, deletions, replacements and
  /// transpositions of adjacent bytes.
  static func between(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, byte) in first.enumerated() {
      var row = [i + 1]
      for (j, other) in second.enumerated() {
        var best = min(last[j] + (byte == other ? 0 : 1), row[j] + 1, last[j + 1] + 1)
        if i > 0, j > 0, byte == second[j - 1], first[i - 1] == other { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
