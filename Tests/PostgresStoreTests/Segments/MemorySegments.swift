import TextIndex

@testable import PostgresStore

/// Segments and manifests in memory, with the same rows as the tables of PostgreSQL.
final class MemorySegments: SegmentStorage, ManifestSource {
  var headers: [SegmentKey: [UInt8]] = [:]
  var pages: [SegmentKey: [StoredPage]] = [:]
  var payloads: [PayloadKey: [UInt8]] = [:]
  var manifests: [Int32: ShardManifest] = [:]
  var recent: [UInt32: RecentDocument] = [:]
  private(set) var roundTripCount = 0
  /// The number of rows of positions that were read.
  private(set) var positionCount = 0
  private var segmentCount: Int32 = 0
  private let division: RowDivision

  init(_ division: RowDivision) { self.division = division }

  func headers(_ segments: [SegmentKey]) throws -> [[UInt8]] {
    roundTripCount += 1
    return try segments.map { segment in
      guard let header = headers[segment] else { throw MissingSegmentRow(segment) }
      return header
    }
  }

  func pages(
    _ ranges: [TermRange], limit: Int, withPayloads keys: [PayloadKey]
  ) throws -> (pages: [[StoredPage]], payloads: [[UInt8]]) {
    let found = ranges.map { range in
      let all = pages[range.segment] ?? []
      let start = max(1, all.partitionPoint { range.lower.lexicographicallyPrecedes($0.firstTerm) }) - 1
      return Array(all[start...].prefix { $0.firstTerm.lexicographicallyPrecedes(range.upper) }.prefix(limit))
    }
    return (found, try payloads(keys))
  }

  func firstTerms(_ segments: [SegmentKey]) -> [[[UInt8]]] {
    roundTripCount += 1
    return segments.map { (pages[$0] ?? []).map(\.firstTerm) }
  }

  func payloads(_ keys: [PayloadKey]) throws -> [[UInt8]] {
    roundTripCount += 1
    positionCount += keys.count { $0.table == .positions }
    return try keys.map { key in
      guard let payload = payloads[key] else { throw MissingSegmentRow(key.segment) }
      return payload
    }
  }

  func manifests(changesAfter known: [Int32: Int64], columnCount: Int) -> ManifestReading {
    roundTripCount += 1
    return ManifestReading(
      manifests: manifests.values.sorted { $0.shard < $1.shard },
      changes: recent.values.filter { $0.sequence > known[$0.shard] ?? 0 })
  }

  /// Receives the rows of a segment.
  final class Output: SegmentOutput {
    private let segments: MemorySegments
    let key: SegmentKey
    private(set) var size = 0

    init(_ segments: MemorySegments, _ key: SegmentKey) {
      self.segments = segments
      self.key = key
    }

    func append(page: [UInt8], firstTerm: [UInt8]) {
      segments.pages[key, default: []].append(StoredPage(firstTerm: firstTerm, bytes: page))
      size += page.count
    }

    func append(_ payload: [UInt8], _ table: PayloadTable, _ number: Int32) {
      segments.payloads[PayloadKey(key, table, number)] = payload
      size += payload.count
    }

    func finish(_ header: SegmentHeader) { segments.headers[key] = header.bytes }
  }
}

extension MemorySegments: SegmentTarget {
  func manifest(shard: Int32, columnCount: Int) -> ShardManifest {
    manifests[shard] ?? ShardManifest(shard: shard, columnCount: columnCount)
  }

  func recentDocuments(shard: Int32, columnCount: Int) -> [RecentDocument] {
    recent.values.filter { $0.shard == shard }.sorted { $0.row < $1.row }
  }

  func record(_ changes: [RecentChange], _ totals: IndexTotals, shard: Int32) throws {
    var manifest = manifest(shard: shard, columnCount: totals.tokenCounts.count)
    for change in changes {
      manifest.sequence += 1
      let row = division.base(shard) + change.number
      let known = recent[row]
      // The stored forms are read back, as from PostgreSQL.
      let added = try change.added.map { added in
        try added.bytes.withUnsafeBufferPointer {
          try ForwardDocument($0, columnCount: totals.tokenCounts.count)
        }
      }
      let removed = try change.removed.map { try $0.storedBytes.withUnsafeBufferPointer { try TermSequence($0) } }
      recent[row] = RecentDocument(
        row: row, shard: shard, sequence: manifest.sequence, added: added,
        removed: known == nil ? removed : known?.removed)
    }
    manifest.totals.add(totals)
    manifests[shard] = manifest
  }

  func makeSegment(shard: Int32) -> any SegmentOutput {
    segmentCount += 1
    return Output(self, SegmentKey(shard: shard, segment: segmentCount))
  }

  func keepSegment(_ segment: Int32, shard: Int32) -> Bool { true }

  func replace(
    _ segments: [ShardManifest.Entry], adding totals: IndexTotals, isFlushed: Bool, retired: [Int32], shard: Int32
  ) throws {
    var manifest = manifest(shard: shard, columnCount: totals.tokenCounts.count)
    manifest.sequence += 1
    manifest.totals.add(totals)
    var stored = manifest
    stored.segments = segments
    manifest.segments = try ShardManifest.segments(stored.segmentBytes)
    if isFlushed {
      manifest.flushed = manifest.sequence
      recent = recent.filter { $0.value.shard != shard }
    }
    manifests[shard] = manifest
    for number in retired { remove(SegmentKey(shard: shard, segment: number)) }
  }

  private func remove(_ segment: SegmentKey) {
    headers[segment] = nil
    pages[segment] = nil
    payloads = payloads.filter { $0.key.segment != segment }
  }
}
