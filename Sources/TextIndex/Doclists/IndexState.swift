import GRDB
import SQLiteAccess
import Synchronization

/// What is needed to read an index in one of its states: its segments, its totals, the lengths of its documents. Reading
/// transactions that see the same state share it, and the postings that they decode.
final class IndexState: Sendable {
  let stamp: UInt64
  /// The structure record of the file.
  let structureRecord: [UInt8]
  let segments: [SegmentStructure.Segment]
  let lengths: DocumentLengths
  /// What matching and scoring need.
  let search: SearchState
  /// Postings that are read leaf by leaf: unlike others they know of segments, so merging ends them.
  let leafwise = PostingsCache()
  let terms: VocabularyCache
  private let leaves = Mutex<[TermLeaves]?>(nil)

  fileprivate init(
    _ header: LengthTable.Header, structureRecord: [UInt8], _ index: StoredFullTextIndex, sharing previous: IndexState?,
    _ db: Database
  ) throws {
    guard let structure = try SegmentStructure(structureRecord) else { throw FTS5FallbackRequired.unknownFormat }
    stamp = header.stamp
    self.structureRecord = structureRecord
    segments = structure.segments
    if let previous, previous.stamp == stamp {
      // Only its segments were merged.
      (lengths, search, terms) = (previous.lengths, previous.search, previous.terms)
    } else {
      try DoclistFormat.requireKnown(table: index.table.name, db)
      do {
        lengths = try IndexState.lengths(LengthTable(of: index), stamp, previous, db)
      } catch is DoclistCorruption {
        // FTS5 stores them as well, and the next writer that finds the damage creates the table again.
        throw FTS5FallbackRequired.noLengths
      }
      search = SearchState(header.totals, lengths)
      terms = VocabularyCache()
    }
  }

  /// The lengths of documents: of an older state where little has changed since, or read as a whole.
  private static func lengths(
    _ table: LengthTable, _ stamp: UInt64, _ previous: IndexState?, _ db: Database
  ) throws -> DocumentLengths {
    if let previous, let changed = try table.changes(leadingTo: stamp, db).ids(since: previous.stamp),
      let lengths = try DocumentLengths(previous.lengths, changed: changed, table, db)
    {
      return lengths
    }
    return try DocumentLengths(table, db)
  }

  var totals: IndexTotals { search.totals }
  var postings: PostingsCache { search.postings }

  /// See ``SearchState/scorer(_:)``.
  func scorer(_ ranking: ResolvedRanking) -> Scorer { search.scorer(ranking) }

  /// The leaves that terms begin on, read by `read` where they were not asked for before.
  func termLeaves(_ read: () throws -> [TermLeaves]) rethrows -> [TermLeaves] {
    if let known = leaves.withLock({ $0 }) { return known }
    let leaves = try read()
    self.leaves.withLock { $0 = leaves }
    return leaves
  }
}

/// The last state of an index that was read.
final class IndexCache: Sendable {
  private let last = Mutex<IndexState?>(nil)
  /// The address of the connection that has changed the index and not written all of it yet; 0 for none.
  private let writer = Atomic<UInt>(0)

  /// Notes whether a transaction has changed the index and keeps some of it in memory, so that the tables tell an older state.
  func setUnwritten(_ isUnwritten: Bool, _ db: Database) {
    writer.store(isUnwritten ? db.connectionNumber : 0, ordering: .relaxed)
  }

  /// Whether the transaction of a connection is such a one.
  func isUnwritten(_ db: Database) -> Bool {
    writer.load(ordering: .relaxed) == db.connectionNumber
  }

  /// The state of an index that a transaction sees.
  ///
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  func state(of index: StoredFullTextIndex, _ db: Database) throws -> IndexState {
    guard !isUnwritten(db) else { throw FTS5FallbackRequired.unwritten }
    let table = LengthTable(of: index)
    guard try table.exists(db), let header = try table.header(db) else { throw FTS5FallbackRequired.noLengths }
    let structure = try DoclistFormat.block(DoclistFormat.structureID, table: index.table.name, db)
    let known = last.withLock { $0 }
    if let known, known.stamp == header.stamp, known.structureRecord == structure { return known }
    guard try index.table.totals(db) == header.totals else { throw FTS5FallbackRequired.noLengths }
    let state = try IndexState(header, structureRecord: structure, index, sharing: known, db)
    last.withLock { $0 = state }
    return state
  }
}
