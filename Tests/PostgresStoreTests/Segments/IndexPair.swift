import GRDB
import JSONText
import QueryModel
import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// The access to segments that a test compares with SQLite: in memory or in PostgreSQL.
protocol SegmentBackend {
  /// Calls `body` with access for reading in a transaction.
  func read<T>(_ body: (any SegmentStorage & ManifestSource) throws -> T) throws -> T

  /// Calls `body` with access for writing in a transaction.
  func write<T>(_ body: (any SegmentTarget) throws -> T) throws -> T

  /// Merges segments of a shard.
  func merge(_ range: Range<Int>, of manifest: ShardManifest, _ maintenance: SegmentMaintenance) throws
}

/// Segments in memory.
struct MemoryBackend: SegmentBackend {
  let segments: MemorySegments

  func read<T>(_ body: (any SegmentStorage & ManifestSource) throws -> T) throws -> T { try body(segments) }

  func write<T>(_ body: (any SegmentTarget) throws -> T) throws -> T { try body(segments) }

  func merge(_ range: Range<Int>, of manifest: ShardManifest, _ maintenance: SegmentMaintenance) throws {
    let output = segments.makeSegment(shard: manifest.shard)
    let entry = try maintenance.merge(range, of: manifest, segments, to: output)
    let merged = Array(manifest.segments[range])
    #expect(try maintenance.replace(merged, with: entry, shard: manifest.shard, segments))
  }
}

/// The same documents in an FTS5 table of SQLite and in segments.
final class IndexPair {
  let queue: DatabaseQueue
  let index: StoredFullTextIndex
  let backend: any SegmentBackend
  let division: RowDivision
  let cache = SegmentIndexCache()
  private let parser: JSONParser
  private let writerOptions: (smallestSegment: Int, memory: Int)
  private(set) var documents: [Int64: String] = [:]

  init(
    _ fields: [String], _ backend: any SegmentBackend,
    _ division: RowDivision, _ analyzer: AnalyzerConfiguration = AnalyzerConfiguration(), smallestSegment: Int = 4000,
    memory: Int = 1 << 20
  ) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try TermStreamTokenizer.register($0) }
    queue = try DatabaseQueue(configuration: configuration)
    parser = try JSONParser()
    self.backend = backend
    self.division = division
    writerOptions = (smallestSegment, memory)
    index = try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE concordance_index (
            id INTEGER PRIMARY KEY, collection INTEGER, name TEXT, kind TEXT, definition TEXT, analyzer_version TEXT)
          """)
      return try FullTextCatalog.create("text", on: 1, FullTextDefinition(fields: fields, analyzer: analyzer), db)
    }
  }

  /// Saves documents, or deletes those whose text is nil, in one transaction of each store.
  func save(_ changes: [(row: Int64, json: String?)]) throws {
    let analysis = DocumentAnalysis(index)
    try queue.write { db in
      let stored = try FullTextWriter(index, db)
      try backend.write { target in
        let segments = try SegmentIndexWriter(
          index, target, division, smallestSegment: writerOptions.smallestSegment, memory: writerOptions.memory)
        for (row, json) in changes {
          if let old = documents.removeValue(forKey: row) {
            let terms = try analysis.analyze(parser.parse(utf8: old))
            try stored.remove(terms, rowID: row)
            try segments.remove(terms, rowID: row)
          }
          guard let json else { continue }
          let terms = try analysis.analyze(parser.parse(utf8: json))
          try stored.insert(terms, rowID: row)
          try segments.insert(terms, rowID: row)
          documents[row] = json
        }
        try segments.flush()
      }
      try stored.flush(syncing: true)
    }
  }

  var maintenance: SegmentMaintenance { SegmentMaintenance(index: index, division: division) }

  /// Calls `body` with a reader of each store.
  func read(_ body: (_ stored: IndexReader, _ segments: IndexReader) throws -> Void) throws {
    try queue.read { db in
      try backend.read { storage in
        let reader = SnapshotReader(
          cache: cache, storage: storage, source: storage, columnCount: index.definition.fields.count,
          division: division)
        let store = PostgresIndexStore(index) { try reader.postings(of: self.index, version: nil, isCommitted: true) }
        try body(index.reader(db), IndexReader(index, store))
      }
    }
  }

  /// Returns the first difference between the content of the segments and the documents; nil if there is none.
  func problem() throws -> String? {
    let analysis = DocumentAnalysis(index)
    return try queue.write { db in
      try backend.read { storage in
        let contents = try SnapshotReader(
          cache: SegmentIndexCache(), storage: storage, source: storage, columnCount: index.definition.fields.count,
          division: division
        ).postings(of: index, version: nil, isCommitted: true).contents()
        let storage = FixedContents(contents)
        RemoteIndexes.set(storage, for: db, while: storage)
        // Afterwards, the storage is released, and the connection's own tables are used again.
        defer { withExtendedLifetime(storage) {} }
        var verification = FullTextVerification(index, db)
        for (row, json) in documents { verification.expect(try analysis.analyze(parser.parse(utf8: json)), rowID: row) }
        return try verification.problem()
      }
    }
  }

  /// The manifests of all shards.
  func manifests() throws -> [ShardManifest] {
    try backend.read {
      try $0.manifests(changesAfter: [:], columnCount: index.definition.fields.count).manifests
    }
  }
}

/// A storage of indexes that can only be verified.
private final class FixedContents: RemoteIndexStorage {
  private struct Unused: Error {}
  private let contents: IndexContents

  init(_ contents: IndexContents) { self.contents = contents }

  func create(_ index: StoredFullTextIndex, _ db: Database) throws { throw Unused() }
  func drop(_ index: StoredFullTextIndex, _ db: Database) throws { throw Unused() }
  func statistics(of index: StoredFullTextIndex, _ db: Database) throws -> (documentCount: Int, size: Int) {
    throw Unused()
  }
  func store(_ index: StoredFullTextIndex, _ db: Database) -> any IndexStore {
    PostgresIndexStore(index) { throw Unused() }
  }
  func writer(_ index: StoredFullTextIndex, memory: Int, _ db: Database) throws -> any RemoteIndexWriter {
    throw Unused()
  }
  func contents(of index: StoredFullTextIndex, _ db: Database) -> IndexContents { contents }
}
