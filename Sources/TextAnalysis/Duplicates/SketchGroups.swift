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
  /// The number of a text's smallest hashes that are compared to find candidates. The probability that two texts with
  /// similarity 0.8 share none of 16 hashes is below 10⁻⁶.
  private static let probeCount = 16

  /// The numbers of the texts of each group, in the order in which they were added.
  public private(set) var members: [[Int]] = []
  private var count = 0
  private var leaders: [TextSketch] = []
  private var byHash: [UInt64: Int] = [:]
  private var byShingle: [UInt64: [Int]] = [:]

  /// Creates an empty list of groups.
  public init() {}

  /// Adds the next text.
  ///
  /// - Returns: the number of its group.
  /// - Complexity: O(c · k) for c groups that share one of the smallest hashes and k = ``TextSketch/size``.
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
    byHash[sketch.hash] = group
    for shingle in sketch.hashes.prefix(SketchGroups.probeCount) { byShingle[shingle, default: []].append(group) }
    return group
  }

  private func group(similarTo sketch: TextSketch) -> Int? {
    if let group = byHash[sketch.hash], leaders[group].wordCount == sketch.wordCount { return group }
    let candidates = Set(sketch.hashes.prefix(SketchGroups.probeCount).flatMap { byShingle[$0] ?? [] })
    return candidates.sorted().first { leaders[$0].similarity(to: sketch) >= SketchGroups.threshold }
  }
}
