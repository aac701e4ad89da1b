import GRDB
import SQLiteAccess
import Synchronization

/// One state of an index: its segments, totals and document lengths. Read transactions that see the same state share it
/// and its cache of postings.
final class IndexState: Sendable {
  let stamp: UInt64
  /// The structure record of the file.
  let structureRecord: [UInt8]
  let segments: [SegmentStructure.Segment]
  let lengths: DocumentLengths
  /// The data for matching and scoring.
  let search: SearchState
  /// Postings that are read leaf by leaf. Unlike other postings, they refer to segments, so a merge invalidates them.
  let leafwise = PostingsCache()
  let terms: VocabularyCache
  /// What lookups of terms have read. It refers to segments, too.
  let leaves = TermLeavesCache()

  fileprivate init(
    _ header: LengthTable.Header, structureRecord: [UInt8], _ index: StoredFullTextIndex, sharing previous: IndexState?,
    _ db: Database
  ) throws {
    guard let structure = try SegmentStructure(structureRecord) else { throw FTS5FallbackRequired.unknownFormat }
    stamp = header.stamp
    self.structureRecord = structureRecord
    segments = structure.segments
    if let previous, previous.stamp == stamp {
      // Segments were merged; the documents are the same.
      (lengths, search, terms) = (previous.lengths, previous.search, previous.terms)
    } else {
      try DoclistFormat.requireKnown(table: index.table.name, db)
      do {
        lengths = try IndexState.lengths(LengthTable(of: index), stamp, previous, db)
      } catch is DoclistCorruption {
        // FTS5 also stores the lengths, and the next writer that detects the damage recreates the table.
        throw FTS5FallbackRequired.noLengths
      }
      search = SearchState(header.totals, lengths)
      terms = VocabularyCache()
    }
  }

  /// Returns the document lengths: those of an older state, of which only the changed runs are read again, or all
  /// lengths of the table.
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

  var postings: PostingsCache { search.postings }

  /// See ``SearchState/scorer(_:)``.
  func scorer(_ ranking: ResolvedRanking) -> Scorer { search.scorer(ranking) }

  /// Returns the cached postings of a term that are read leaf by leaf; nil if there are none.
  func boundedPostings(_ term: String) -> BoundedPostings? { leafwise.blockwisePostings(term) as? BoundedPostings }
}

/// A version of the file in which a connection saw the state of an index, see `Database.readVersion`. If it sees the
/// same version again, it sees the same state, without reading it.
///
/// `@unchecked Sendable`: no lock is needed because the connection is only compared with others.
private struct Seen: @unchecked Sendable {
  /// Nil if the connection was closed. Another connection may then have its address and the same version.
  private(set) weak var db: Database?
  let version: UInt32

  func isSame(as other: Seen) -> Bool { version == other.version && db === other.db }
}

/// A cache of the most recently read state of an index.
final class IndexCache: Sendable {
  private struct Last {
    var state: IndexState?
    /// The connections that have seen this state.
    var seen: [Seen] = []
  }

  private let last = Mutex(Last())
  /// The number of the connection that has unwritten changes to the index; 0 for none.
  private let writer = Atomic<UInt>(0)

  /// Records whether a transaction has unwritten changes to the index, so that the tables contain an older state.
  func setUnwritten(_ isUnwritten: Bool, _ db: Database) {
    writer.store(isUnwritten ? db.connectionNumber : 0, ordering: .relaxed)
  }

  /// Returns whether the connection's transaction has unwritten changes to the index.
  func isUnwritten(_ db: Database) -> Bool {
    writer.load(ordering: .relaxed) == db.connectionNumber
  }

  /// Returns the state of an index that a transaction sees.
  ///
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  func state(of index: StoredFullTextIndex, _ db: Database) throws -> IndexState {
    guard !isUnwritten(db) else { throw FTS5FallbackRequired.unwritten }
    let seen = db.readVersion.map { Seen(db: db, version: $0) }
    if let seen, let known = known(to: seen) { return known }
    let state = try readState(of: index, db)
    // If the read began with the statements above, its version is known only now.
    if let seen = seen ?? db.readVersion.map({ Seen(db: db, version: $0) }) { note(seen, state) }
    return state
  }

  private func known(to seen: Seen) -> IndexState? {
    last.withLock { last in last.seen.contains { $0.isSame(as: seen) } ? last.state : nil }
  }

  private func note(_ seen: Seen, _ state: IndexState) {
    last.withLock { last in
      guard last.state === state else { return }
      last.seen.removeAll { $0.db == nil || $0.db === seen.db }
      last.seen.append(seen)
    }
  }

  private func readState(of index: StoredFullTextIndex, _ db: Database) throws -> IndexState {
    let table = LengthTable(of: index)
    guard let header = try table.headerIfExists(db) else { throw FTS5FallbackRequired.noLengths }
    let structure = try DoclistFormat.block(DoclistFormat.structureID, table: index.table.name, db)
    let known = last.withLock { $0.state }
    if let known, known.stamp == header.stamp, known.structureRecord == structure { return known }
    guard try index.table.totals(db) == header.totals else { throw FTS5FallbackRequired.noLengths }
    let state = try IndexState(header, structureRecord: structure, index, sharing: known, db)
    last.withLock { $0 = Last(state: state) }
    return state
  }
}
