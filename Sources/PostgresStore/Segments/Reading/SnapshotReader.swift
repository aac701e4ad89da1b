import Synchronization
import TextIndex

/// What a transaction reads of the state of an index before the segments: the manifests, and recent changes.
package protocol ManifestSource: AnyObject {
  /// Returns the manifests of all shards, in order, and the recent changes after a sequence in each shard. One round
  /// trip.
  ///
  /// - Parameter known: the sequence in each shard up to which recent changes are known; 0 for others. If it is empty,
  ///   the headers of segments are read as well.
  func manifests(changesAfter known: [Int32: Int64], columnCount: Int) throws -> ManifestReading
}

/// The result of reading manifests.
package struct ManifestReading: Sendable {
  let manifests: [ShardManifest]
  let changes: [RecentDocument]
  /// The headers of segments that were read together with the manifests; perhaps also those of retired segments.
  var headers: [SegmentKey: [UInt8]] = [:]
}

/// The state of an index that transactions read last, and what states share. There is one for each index of an open
/// database.
package final class SegmentIndexCache: Sendable {
  private let last = Mutex<(snapshot: IndexSnapshot, version: Int64?)?>(nil)
  /// The lengths of the documents of a list of segments.
  private let lengths = Mutex<(segments: [SegmentKey], lengths: LengthRuns)?>(nil)

  /// Creates an empty cache.
  package init() {}

  /// Returns the state that was read last, if it is that of a version of the database.
  func snapshot(version: Int64) -> IndexSnapshot? {
    last.withLock { $0.flatMap { $0.version == version ? $0.snapshot : nil } }
  }

  /// The state that was read last.
  var latest: IndexSnapshot? { last.withLock { $0?.snapshot } }

  /// Caches a committed state.
  func keep(_ snapshot: IndexSnapshot, version: Int64?) { last.withLock { $0 = (snapshot, version) } }

  /// Returns the lengths of the documents of segments; calls `make` if they are not known.
  ///
  /// - Parameter isCommitted: whether the segments are cached. Those of a transaction that is rolled back give their
  ///   numbers to others.
  func lengths(
    _ segments: [SegmentKey], isCommitted: Bool, _ make: () throws -> LengthRuns
  ) rethrows -> LengthRuns {
    if let known = lengths.withLock({ $0 }), known.segments == segments { return known.lengths }
    let made = try make()
    if isCommitted { lengths.withLock { $0 = (segments, made) } }
    return made
  }
}

/// Reads the state of an index that a transaction sees.
struct SnapshotReader {
  let cache: SegmentIndexCache
  let storage: any SegmentStorage
  let source: any ManifestSource
  let columnCount: Int
  let division: RowDivision

  /// Returns the state.
  ///
  /// - Parameters:
  ///   - version: identifies the state of the database that the transaction sees; nil if it is unknown.
  ///   - isCommitted: whether the transaction sees committed rows only. Others must not see its uncommitted ones.
  func snapshot(version: Int64?, isCommitted: Bool) throws -> IndexSnapshot {
    if isCommitted, let version, let known = cache.snapshot(version: version) { return known }
    let latest = cache.latest
    let known = Dictionary(uniqueKeysWithValues: (latest?.manifests ?? []).map { ($0.shard, $0.sequence) })
    var reading = try read(changesAfter: known)
    var older = latest
    if reading.manifests.contains(where: { $0.sequence < known[$0.shard] ?? 0 }) {
      // The transaction began before the latest known change.
      older = nil
      reading = try read(changesAfter: [:])
    }
    if let older, older.manifests == reading.manifests {
      if isCommitted { cache.keep(older, version: version) }
      return older
    }
    let snapshot = try make(reading, older)
    if isCommitted { cache.keep(snapshot, version: version) }
    return snapshot
  }

  /// Returns access to the posting lists of an index in the state.
  func postings(of index: StoredFullTextIndex, version: Int64?, isCommitted: Bool) throws -> SegmentPostingStore {
    SegmentPostingStore(
      try PostgresFullText.reporting(index) { try snapshot(version: version, isCommitted: isCommitted) }, storage,
      cache, isCommitted: isCommitted, hasColocatedTerms: index.hasColocatedTerms)
  }

  /// Reads the manifests, at most one of each shard.
  private func read(changesAfter known: [Int32: Int64]) throws -> ManifestReading {
    let reading = try source.manifests(changesAfter: known, columnCount: columnCount)
    var shards: Set<Int32> = []
    for manifest in reading.manifests {
      guard manifest.shard >= 0, Int(manifest.shard) < division.shardCount else {
        throw SegmentDamage("it has the state of an unknown shard")
      }
      guard shards.insert(manifest.shard).inserted else {
        throw SegmentDamage("it has several states of shard \(manifest.shard)")
      }
    }
    return reading
  }

  private func make(_ reading: ManifestReading, _ older: IndexSnapshot?) throws -> IndexSnapshot {
    let open = try segments(reading, older)
    let recent = recent(reading, older)
    var views: [IndexSnapshot.View] = []
    var rowLimit = 1
    for manifest in reading.manifests {
      let shard = try manifest.segments.map { entry -> OpenSegment in
        let key = SegmentKey(shard: manifest.shard, segment: entry.number)
        guard let segment = open[key] else { throw MissingSegmentRow(key) }
        return segment
      }
      views += try IndexSnapshot.views(shard, recent.filter { $0.shard == manifest.shard })
      if let last = manifest.lastRow { rowLimit = max(rowLimit, Int(division.base(manifest.shard)) + Int(last) + 1) }
    }
    if let last = recent.last { rowLimit = max(rowLimit, Int(last.row) + 1) }
    guard rowLimit <= Int(UInt32.max) + 1 else { throw SegmentDamage.badNumber }
    return IndexSnapshot(reading.manifests, views, recent, columnCount: columnCount, rowLimit: rowLimit)
  }

  /// Opens the segments that are not open yet.
  private func segments(_ reading: ManifestReading, _ older: IndexSnapshot?) throws -> [SegmentKey: OpenSegment] {
    var open = Dictionary(
      uniqueKeysWithValues: (older ?? cache.latest)?.segments.map { ($0.segment.key, $0.segment) } ?? [])
    let unknown = reading.manifests.flatMap { manifest in
      manifest.segments.map {
        (key: SegmentKey(shard: manifest.shard, segment: $0.number), documentCount: $0.documentCount)
      }
    }.filter { open[$0.key] == nil }
    var headers = reading.headers
    let unread = unknown.map(\.key).filter { headers[$0] == nil }
    if !unread.isEmpty {
      for (key, bytes) in zip(unread, try storage.headers(unread)) { headers[key] = bytes }
    }
    for (key, documentCount) in unknown {
      guard let bytes = headers[key] else { throw MissingSegmentRow(key) }
      let header = try SegmentHeader(bytes, columnCount: columnCount, documentCount: documentCount)
      open[key] = OpenSegment(key, base: division.base(key.shard), header)
    }
    return open
  }

  /// Returns the recent changes: those of the older state that are not in segments or changed again, and new ones.
  private func recent(_ reading: ManifestReading, _ older: IndexSnapshot?) -> [RecentDocument] {
    let flushed = Dictionary(uniqueKeysWithValues: reading.manifests.map { ($0.shard, $0.flushed) })
    let changed = Set(reading.changes.map(\.row))
    let kept = (older?.recent ?? []).filter { $0.sequence > flushed[$0.shard] ?? 0 && !changed.contains($0.row) }
    let new = reading.changes.filter { $0.sequence > flushed[$0.shard] ?? 0 }
    return (kept + new).sorted { $0.row < $1.row }
  }
}
