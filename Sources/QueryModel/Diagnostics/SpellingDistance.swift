/// How far two names are apart, for "did you mean".
public enum SpellingDistance {
  /// The candidate that `name` can be turned into with the fewest changes, if these are few for its length.
  public static func closest(to name: String, among candidates: [String]) -> String? {
    // Longer names are no misspellings, and would cost time.
    guard name.utf8.count <= 64 else { return nil }
    let allowed = (name.utf8.count + 1) / 3
    let distances = candidates.map { (name: $0, distance: between(Array(name.utf8), Array($0.utf8))) }
    return distances.filter { $0.distance <= allowed }.min { $0.distance < $1.distance }?.name
  }

  /// The least number of bytes to insert, delete or replace: Levenshtein, "Binary codes capable of correcting
  /// deletions, insertions, and reversals", 1966.
  static func between(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (i, byte) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
