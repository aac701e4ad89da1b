/// The structure record of an FTS5 table with its levels, so that a segment can be added. See ``DoclistFormat``.
struct SegmentLevels: Equatable {
  struct Segment: Equatable {
    var id: UInt64
    var firstLeaf: UInt64
    var lastLeaf: UInt64

    /// The number of leaves; 1 for an empty segment.
    fileprivate var leafCount: UInt64 { lastLeaf - firstLeaf + 1 }

    /// Nil if it has no leaves, because it has been merged completely.
    var ifNotEmpty: SegmentStructure.Segment? {
      guard firstLeaf > 0 else { return nil }
      return SegmentStructure.Segment(id: Int64(id), firstLeaf: Int64(firstLeaf), lastLeaf: Int64(lastLeaf))
    }
  }

  struct Level: Equatable {
    /// The number of segments at the beginning of the level that are being merged.
    var mergingCount: UInt64 = 0
    var segments: [Segment] = []
  }

  private var cookie: [UInt8]
  private var writtenLeaves: UInt64
  /// The levels, youngest first. Within a level, the youngest segment is last.
  private(set) var levels: [Level]

  /// The maximum number of leaves that FTS5 can have written to an index: it takes decades to write as many.
  private static let maximumWrittenCount: UInt64 = 1 << 53
  /// The number of segments at which a level is merged.
  private static let segmentsOfLevel = 8
  private static let leavesPerExcessSegment: Int64 = 16
  /// FTS5's maximum number of segments.
  private static let largestCount = 2000
  /// The minimum number of leaves of a segment that is added to level 1, about the size of a segment that FTS5 writes
  /// from its hash table. For each further level, the minimum is four times as high.
  private static let leavesOfFirstLevel: Int64 = 4096
  /// The maximum number of leaves that a transaction merges without FTS5, except to optimize an index: 128 MiB in leaves of
  /// the default size; 16 MiB if it adds a segment of less than 1 MiB. A transaction would wait too long for larger
  /// merges, which FTS5 divides among transactions.
  private static let leavesOfMerge: ClosedRange<UInt64> = 1 << 12...1 << 15
  private static let mergedLeavesPerLeaf: UInt64 = 16
  /// The maximum numbers of leaves, 512 MiB, and of segments that are merged to optimize an index without FTS5. Each
  /// doclist is collected in memory, and two parts of each segment are.
  private static let largestMerge: (leafCount: UInt64, segmentCount: Int) = (1 << 17, 128)

  /// Reads a structure record.
  ///
  /// - Throws: ``DoclistCorruption``; ``FTS5FallbackRequired`` if the format is unknown.
  init(_ record: [UInt8]) throws {
    guard let levels = try SegmentLevels(ifKnown: record) else { throw FTS5FallbackRequired.unknownFormat }
    self = levels
  }

  /// Reads a structure record.
  ///
  /// - Returns: nil if its format is unknown.
  init?(ifKnown record: [UInt8]) throws(DoclistCorruption) {
    let markedAsV2 = record.count >= 8 && record[4...].starts(with: [0xFF, 0, 0, 1])
    if markedAsV2 { return nil }
    var values = try SegmentStructure.varints(record, from: 4)[...]
    func next(upTo limit: UInt64) throws(DoclistCorruption) -> UInt64 {
      guard let value = values.popFirst() else { throw .truncated }
      guard value <= limit else { throw .badNumber }
      return value
    }
    // No count can exceed the number of remaining varints.
    let levelCount = try next(upTo: UInt64(values.count))
    let total = try next(upTo: UInt64(values.count))
    let written = try next(upTo: SegmentLevels.maximumWrittenCount)
    var levels: [Level] = []
    for _ in 0..<levelCount {
      var level = Level(mergingCount: try next(upTo: UInt64(record.count)))
      let count = try next(upTo: UInt64(values.count / 3))
      for _ in 0..<count {
        let id = try next(upTo: DoclistFormat.maximumSegment)
        let first = try next(upTo: DoclistFormat.maximumLeaf)
        let last = try next(upTo: DoclistFormat.maximumLeaf)
        // A segment that has been merged completely has neither a first nor a last leaf.
        guard id > 0, first <= last, first > 0 || last == 0 else { throw .badNumber }
        level.segments.append(Segment(id: id, firstLeaf: first, lastLeaf: last))
      }
      levels.append(level)
    }
    cookie = Array(record.prefix(4))
    writtenLeaves = written
    self.levels = levels
    guard segments.count <= total else { throw .badNumber }
  }

  /// The segments with leaves, youngest first.
  var segments: [SegmentStructure.Segment] { levels.flatMap { $0.segments.reversed().compactMap(\.ifNotEmpty) } }

  /// The record in its stored form.
  var record: [UInt8] {
    var record = cookie
    for value in [UInt64(levels.count), UInt64(levels.reduce(0) { $0 + $1.segments.count }), writtenLeaves] {
      record.appendVarint(value)
    }
    for level in levels {
      record.appendVarint(level.mergingCount)
      record.appendVarint(UInt64(level.segments.count))
      for segment in level.segments {
        for value in [segment.id, segment.firstLeaf, segment.lastLeaf] { record.appendVarint(value) }
      }
    }
    return record
  }

  /// The lowest unused number of a segment; nil if FTS5 allows no more segments.
  var unusedID: Int64? {
    let used = Set(levels.flatMap { $0.segments.map(\.id) })
    guard used.count < SegmentLevels.largestCount else { return nil }
    return (1...Int64(SegmentLevels.largestCount)).first { !used.contains(UInt64($0)) }
  }

  /// Returns the number of leaves that the transaction that adds a segment also merges, so that the number of segments
  /// remains bounded and no transaction waits for the merge of a whole level; 0 if no level has many segments or is
  /// being merged.
  ///
  /// Each leaf is merged once per level. If segments are smaller than those that they follow, a level grows while it is
  /// merged, and each segment above the limit increases the work.
  func leavesToMerge(afterAdding leafCount: Int64) -> Int64 {
    let excess = Int64(levels.reduce(0) { max($0, $1.segments.count) } - SegmentLevels.segmentsOfLevel + 1)
    guard excess > 0 || levels.contains(where: { $0.mergingCount > 0 }) else { return 0 }
    return max(leafCount * Int64(levels.count + 1), excess * SegmentLevels.leavesPerExcessSegment)
  }

  /// Adds the youngest segment. A large segment is added to a higher level, so that FTS5 does not merge it with small
  /// ones. All lower levels must be empty; otherwise their segments would count as younger than the new one.
  mutating func append(_ id: Int64, leafCount: Int64) {
    place(id, leafCount: leafCount, onLevel: 0)
    // Wraps as in FTS5, so that a damaged counter cannot stop the program.
    writtenLeaves &+= UInt64(leafCount)
  }

  /// - Parameter lowest: the lowest level. It and all lower ones must be empty, unless it is 0.
  private mutating func place(_ id: Int64, leafCount: Int64, onLevel lowest: Int) {
    var number = lowest
    var size = SegmentLevels.leavesOfFirstLevel << (2 * min(lowest, 8))
    while leafCount >= size, number < levels.count || number < 8 {
      if number < levels.count, !levels[number].segments.isEmpty { break }
      number += 1
      size *= 4
    }
    while levels.count <= number { levels.append(Level()) }
    levels[number].segments.append(Segment(id: UInt64(id), firstLeaf: 1, lastLeaf: UInt64(leafCount)))
  }

  // MARK: - Merging

  /// Returns the levels whose segments should be merged into one now: the first full level, and those that its merged
  /// segment would make full. Returns nil if there are none, if they are too large, or if FTS5 is merging them.
  ///
  /// - Parameter leafCount: the number of leaves that the transaction has added.
  func levelsToMerge(afterAdding leafCount: Int64) -> Range<Int>? {
    let (product, overflows) = UInt64(clamping: leafCount)
      .multipliedReportingOverflow(by: SegmentLevels.mergedLeavesPerLeaf)
    let limit = min(
      max(overflows ? .max : product, SegmentLevels.leavesOfMerge.lowerBound), SegmentLevels.leavesOfMerge.upperBound)
    guard let first = levels.firstIndex(where: { $0.segments.count >= SegmentLevels.segmentsOfLevel }),
      // While FTS5 merges a level, the last segment of the next level is incomplete.
      levels[...first].allSatisfy({ $0.mergingCount == 0 })
    else { return nil }
    var size = levels[first].leafCount
    guard size <= limit else { return nil }
    var end = first + 1
    while end < levels.count, levels[end].mergingCount == 0,
      levels[end].segments.count + 1 >= SegmentLevels.segmentsOfLevel,
      size + levels[end].leafCount <= limit
    {
      size += levels[end].leafCount
      end += 1
    }
    return first..<end
  }

  /// Returns the youngest levels whose segments should be merged into one after many changes: as many as one
  /// transaction may merge. Returns nil if there are none.
  ///
  /// The largest segment has at most three quarters of the leaves. So each leaf is merged O(log n) times, even if each
  /// call follows few changes.
  func youngestLevelsToMerge() -> Range<Int>? {
    var (size, largest, segmentCount) = (UInt64(0), UInt64(0), 0)
    var found: Range<Int>?
    for (number, level) in levels.enumerated() {
      let (sum, overflows) = size.addingReportingOverflow(level.leafCount)
      guard level.mergingCount == 0, !overflows, sum <= SegmentLevels.leavesOfMerge.upperBound else { break }
      size = sum
      largest = level.segments.reduce(largest) { max($0, $1.leafCount) }
      segmentCount += level.segments.count
      if segmentCount > 1, largest <= size - size / 4 { found = 0..<number + 1 }
    }
    return found
  }

  /// All levels if they have several segments, which are not too large, and FTS5 is not merging any; nil otherwise.
  var allLevelsToMerge: Range<Int>? {
    let segments = levels.flatMap(\.segments)
    // Both numbers of leaves have 31 bits, so the sum cannot overflow.
    guard (2...SegmentLevels.largestMerge.segmentCount).contains(segments.count),
      segments.reduce(0, { $0 + $1.leafCount }) <= SegmentLevels.largestMerge.leafCount,
      levels.allSatisfy({ $0.mergingCount == 0 })
    else { return nil }
    return 0..<levels.count
  }

  /// Returns the segments of levels, oldest first.
  func segments(of range: Range<Int>) -> [Segment] { range.reversed().flatMap { levels[$0].segments } }

  /// The segments that FTS5 is not merging.
  var completeSegments: [SegmentStructure.Segment] {
    levels.indices.flatMap { number -> ArraySlice<Segment> in
      let isBeingWritten = number > 0 && levels[number - 1].mergingCount > 0
      return levels[number].segments
        .dropFirst(Int(clamping: levels[number].mergingCount)).dropLast(isBeingWritten ? 1 : 0)
    }.compactMap(\.ifNotEmpty)
  }

  /// Returns whether no segment is older than those of the given levels.
  func areOldest(_ range: Range<Int>) -> Bool { levels[range.upperBound...].allSatisfy(\.segments.isEmpty) }

  /// Replaces the segments of levels by their merged segment, the youngest of the next level.
  ///
  /// - Parameter leafCount: 0 if nothing is left of the segments.
  mutating func merge(_ range: Range<Int>, into id: Int64, leafCount: Int64) {
    for number in range { levels[number].segments = [] }
    guard leafCount > 0 else { return }
    if levels.count == range.upperBound { levels.append(Level()) }
    levels[range.upperBound].segments.append(Segment(id: UInt64(id), firstLeaf: 1, lastLeaf: UInt64(leafCount)))
  }

  /// Replaces the segments of the youngest levels by their merged segment, on the highest of the levels or, if the segment
  /// is large, on a higher one. On a lower level, it would soon be merged again with small segments.
  ///
  /// - Parameter leafCount: 0 if nothing is left of the segments.
  mutating func mergeYoungest(_ range: Range<Int>, into id: Int64, leafCount: Int64) {
    for number in range { levels[number].segments = [] }
    if leafCount > 0 { place(id, leafCount: leafCount, onLevel: range.upperBound - 1) }
  }
}

extension SegmentLevels.Level {
  /// The number of leaves of all segments.
  fileprivate var leafCount: UInt64 { segments.reduce(0) { $0 + $1.leafCount } }
}
