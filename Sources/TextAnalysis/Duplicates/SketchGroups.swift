/// Groups texts that have the same words or nearly the same words. Each text joins the first group whose first text is
/// similar to it.
///
/// ```swift
/// var groups = SketchGroups()
/// for text in texts { groups.add(TextSketch(of: [text])) }
/// groups.members   // [[0, 3], [1], [2]]
/// ```
public struct SketchGroups: Sendable {
  /// The minimum similarity of two texts that are considered nearly the same.
  public static let threshold = 0.8
  /// The number of a text's smallest hashes that are compared to find candidates.
  private static let probeCount = 16
  /// The number of these hashes that two similar texts share at least.
  ///
  /// Each of the 16 smallest hashes of two texts together is in both texts with a probability that equals the
  /// similarity, and is then one of the 16 smallest hashes of each text. With similarity 0.8, the probability that
  /// there are fewer than 4 such hashes is Σ C(16, k) · 0.8ᵏ · 0.2¹⁶⁻ᵏ for k < 4, which is below 10⁻⁶. Similar texts
  /// with fewer than 4 hashes share all of them.
  private static let minimumSharedCount = 4

  /// The numbers of the texts of each group, in the order in which they were added.
  public private(set) var members: [[Int]] = []
  private var count = 0
  private var leaders: [TextSketch] = []
  private var byHash: [UInt64: Int] = [:]
  private var byShingle: [UInt64: [Int]] = [:]
  /// The number of hashes that each group shares with the current text; 0 between two texts.
  private var sharedCounts: [UInt8] = []

  /// Creates an empty list of groups.
  public init() {}

  /// Adds the next text.
  ///
  /// - Returns: the number of its group.
  /// - Complexity: O(s + c · k) for s groups that share one of the smallest hashes, c groups that share several of
  ///   them, and k = ``TextSketch/size``.
  @discardableResult
  public mutating func add(_ sketch: TextSketch) -> Int {
    defer { count += 1 }
    if let group = group(similarTo: sketch) {
      members[group].append(count)
      return group
    }
    let group = members.count
    members.append([count])
    leaders.append(sketch)
    sharedCounts.append(0)
    byHash[sketch.hash] = group
    for shingle in sketch.hashes.prefix(SketchGroups.probeCount) { byShingle[shingle, default: []].append(group) }
    return group
  }

  private mutating func group(similarTo sketch: TextSketch) -> Int? {
    if let group = byHash[sketch.hash], leaders[group].wordCount == sketch.wordCount { return group }
    return candidates(for: sketch).first { leaders[$0].similarity(to: sketch) >= SketchGroups.threshold }
  }

  /// Returns the groups that share enough of a text's smallest hashes, ascending.
  private mutating func candidates(for sketch: TextSketch) -> [Int] {
    let lists = sketch.hashes.prefix(SketchGroups.probeCount).map { byShingle[$0] ?? [] }
    let needed = UInt8(min(SketchGroups.minimumSharedCount, lists.count))
    var candidates: [Int] = []
    for list in lists {
      for group in list {
        sharedCounts[group] += 1
        if sharedCounts[group] == needed { candidates.append(group) }
      }
    }
    for list in lists {
      for group in list { sharedCounts[group] = 0 }
    }
    return candidates.sorted()
  }
}
