import Synchronization
import TextIndex

/// One state of a full-text index: the segments of all shards, recent changes and totals. Transactions that see the
/// same state share it and its caches.
final class IndexSnapshot: Sendable {
  let columnCount: Int
  let manifests: [ShardManifest]
  /// The segments in the order of shards, within a shard oldest first.
  let segments: [View]
  /// Recent changes in row order.
  let recent: [RecentDocument]
  /// The data for matching and scoring.
  let search: SearchState
  let lengths: LengthRuns
  /// Terms whose blocks are read individually.
  let blockLists = PostingsCache()
  private let knownRecentTerms = Mutex<TermList?>(nil)

  /// A segment in this state.
  struct View: Sendable {
    let segment: OpenSegment
    /// Rows of the segment that newer segments or recent changes override, ascending.
    let hidden: [UInt32]
  }

  init(_ manifests: [ShardManifest], _ segments: [View], _ recent: [RecentDocument], columnCount: Int, rowLimit: Int) {
    self.columnCount = columnCount
    self.manifests = manifests
    self.segments = segments
    self.recent = recent
    var totals = IndexTotals(columnCount: columnCount)
    for manifest in manifests {
      totals.rowCount += manifest.totals.rowCount
      for column in 0..<columnCount { totals.tokenCounts[column] += manifest.totals.tokenCounts[column] }
    }
    lengths = LengthRuns(columnCount: columnCount, rowLimit: rowLimit)
    search = SearchState(totals, lengths)
  }

  /// The terms of recent documents with their document frequencies.
  var recentTerms: TermList {
    if let known = knownRecentTerms.withLock({ $0 }) { return known }
    var counts: [[UInt8]: UInt32] = [:]
    for document in recent {
      guard let terms = document.added?.terms else { continue }
      for number in 0..<terms.count { counts[Array(terms.term(number)), default: 0] += 1 }
    }
    var list = TermList()
    for (term, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      term.withUnsafeBufferPointer { list.append($0, frequency: count) }
    }
    knownRecentTerms.withLock { $0 = list }
    return list
  }
}

extension IndexSnapshot {
  /// Returns the views of the segments of a shard.
  ///
  /// - Parameters:
  ///   - segments: the open segments, oldest first.
  ///   - recent: the recent changes of the shard, in row order.
  static func views(_ segments: [OpenSegment], _ recent: [RecentDocument]) throws -> [View] {
    var hidden = recent.filter { $0.removed != nil }.map(\.row)
    var views: [View] = []
    for segment in segments.reversed() {
      views.append(View(segment: segment, hidden: hidden))
      let replaced = try segment.header.replacedRows.map { row -> UInt32 in
        let (sum, overflows) = row.addingReportingOverflow(segment.base)
        guard !overflows else { throw SegmentDamage.badNumber }
        return sum
      }
      hidden = hidden.merged(with: replaced)
    }
    return views.reversed()
  }
}
