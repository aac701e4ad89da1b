import GRDB
import Synchronization

/// The terms of an index, in one of its states, for suggestions and for correcting words.
///
/// It is read from FTS5's segments when it is first asked for, and kept with the state of the index. Terms whose last
/// document was deleted may be in it until segments are merged, and frequencies are estimates, see ``SegmentTerms``:
/// whoever shows a term asks the postings first. Stems are in it like words, see ``SurfaceForms``.
struct Vocabulary: Sendable {
  let terms: TermList

  /// Memory that the terms may take: those of some 4,000,000 words. With more, rare ones are left out.
  static let sizeLimit = 96 << 20

  /// Reads the terms of an index.
  ///
  /// - Parameters:
  ///   - sizeLimit: bytes of memory; where the terms need more, those of the fewest documents are left out.
  ///   - cache: keeps the terms of segments, which do not change, for the states of the index that follow.
  /// - Throws: ``UnreadableIndex``, ``DoclistDamage``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms; reading those of segments that are new takes most of the time.
  init(
    _ table: FullTextTable, _ db: Database, sizeLimit: Int = Vocabulary.sizeLimit,
    cache: SegmentTermsCache = SegmentTermsCache()
  ) throws {
    guard let structure = try SegmentStructure(DoclistFormat.block(DoclistFormat.structureID, table: table.name, db))
    else {
      throw UnreadableIndex.unknownFormat
    }
    let reader = try SegmentTerms(table, db)
    let segments = try structure.segments.map { segment in
      let leaves = try reader.leaves(of: segment)
      return (leaves, fingerprint: try reader.fingerprint(of: leaves))
    }
    let known = cache.contents
    let all = Set(segments.map(\.fingerprint))
    var contents = SegmentTermsCache.Contents()
    if known.joined.isSubset(of: all) { (contents.joined, contents.terms) = (known.joined, known.terms) }
    for (leaves, fingerprint) in segments where !contents.joined.contains(fingerprint) {
      let list = try known.lists[fingerprint] ?? reader.terms(on: leaves, at: 0..<leaves.count)
      contents.lists[fingerprint] = list
      if contents.lists.values.reduce(0, { $0 + $1.size }) > 2 * sizeLimit {
        contents.join(Array(contents.lists.keys), sizeLimit)
      }
    }
    if contents.joined.isEmpty {
      let total = contents.lists.values.reduce(0) { $0 + $1.count }
      let large = contents.lists.filter { $0.value.count * Vocabulary.largeShare >= total }
      contents.join(Array(large.keys), sizeLimit)
    }
    let rest = TermList.merged(Array(contents.lists.values), sizeLimit)
    terms = TermList.merging(contents.terms, rest).limited(to: sizeLimit)
    if rest.count * Vocabulary.largeShare > contents.terms.count {
      contents = SegmentTermsCache.Contents(joined: all, terms: terms)
    }
    cache.keep(contents)
  }

  /// A part of a 16th and more is large: FTS5 seldom merges such segments with others, and often the small ones.
  private static let largeShare = 16
}

extension TermList {
  /// The terms of several lists: the shortest two first, so that the longest is copied once.
  static func merged(_ lists: [TermList], _ sizeLimit: Int) -> TermList {
    var lists = lists
    while lists.count > 1 {
      lists.sort { $0.count > $1.count }
      let (shortest, next) = (lists.removeLast(), lists.removeLast())
      lists.append(TermList.merging(next, shortest).limited(to: sizeLimit))
    }
    return (lists.first ?? TermList()).limited(to: sizeLimit)
  }
}

extension InvertedIndex {
  /// The terms of the index in the state that a transaction sees.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  func vocabulary(_ db: Database) throws -> Vocabulary {
    let state = try readingDoclists { try cache.state(of: self, db) }
    // Without lengths there is no state that could keep it.
    func made() throws -> Vocabulary { try Vocabulary(table, db, cache: cache.segmentTerms) }
    return try listingTerms { if let state { try state.vocabulary(made) } else { try made() } }
  }

  /// Calls `body`, which reads terms.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  func listingTerms<T>(_ body: () throws -> T) throws -> T {
    if let result = try readingDoclists(body) { return result }
    throw TextIndexError(
      .unsupported, "the words of the index \"\(name)\" cannot be listed: this version of FTS5 is not known")
  }
}

/// The vocabulary of a state of an index, once somebody has asked for it.
final class VocabularyCache: Sendable {
  private let known = Mutex<Vocabulary?>(nil)

  /// What was kept, or else what `make` makes. Two that ask at once may both make it.
  func vocabulary(_ make: () throws -> Vocabulary) rethrows -> Vocabulary {
    if let vocabulary = known.withLock({ $0 }) { return vocabulary }
    let vocabulary = try make()
    known.withLock { $0 = vocabulary }
    return vocabulary
  }
}

/// The terms of the segments of an index, as they were when its vocabulary was last made.
final class SegmentTermsCache: Sendable {
  struct Contents {
    /// The large segments, which last, and the terms of all of them joined.
    var joined: Set<SegmentFingerprint> = []
    var terms = TermList()
    /// The terms of each of the others.
    var lists: [SegmentFingerprint: TermList] = [:]

    /// All segments whose terms are there.
    var segments: Set<SegmentFingerprint> { joined.union(lists.keys) }

    /// Joins the terms of some of the others.
    fileprivate mutating func join(_ segments: [SegmentFingerprint], _ sizeLimit: Int) {
      terms = TermList.merged([terms] + segments.compactMap { lists.removeValue(forKey: $0) }, sizeLimit)
      joined.formUnion(segments)
    }
  }

  private let known = Mutex(Contents())
  /// How often terms were read without keeping them.
  private let partialReadings = Atomic(0)

  /// Reading a part takes some hundredths of a second, and everything a few seconds.
  private static let maximumPartialReadings = 64

  var contents: Contents { known.withLock { $0 } }

  func keep(_ contents: Contents) { known.withLock { $0 = contents } }

  /// Whether the terms that somebody needs had better be read alone: all are not at hand, and have not been needed often.
  func isWorthPartialReading() -> Bool {
    known.withLock { $0.joined.isEmpty && $0.lists.isEmpty }
      && partialReadings.add(1, ordering: .relaxed).oldValue < SegmentTermsCache.maximumPartialReadings
  }
}
