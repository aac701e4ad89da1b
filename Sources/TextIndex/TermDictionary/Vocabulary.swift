import GRDB
import Synchronization

/// The terms of an index in one of its states, for suggestions and corrections.
///
/// It is read from FTS5's segments when it is first requested, and cached with the state of the index. Until segments
/// are merged, it may contain terms whose last document was deleted, and its frequencies are estimates (see
/// ``SegmentTerms``): look up the postings of a term before showing it. It contains stems as well as words; see
/// ``SurfaceForms``.
struct Vocabulary: Sendable {
  let terms: TermList

  /// The memory limit of the terms, enough for about 4,000,000 words. If there are more, rare words are left out.
  static let sizeLimit = 96 << 20

  /// Reads the terms of an index.
  ///
  /// - Parameter sizeLimit: the memory limit in bytes. If it is exceeded, the terms with the lowest frequencies are
  ///   left out.
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms.
  init(_ table: FullTextTable, _ db: Database, sizeLimit: Int = Vocabulary.sizeLimit) throws {
    let reader = try SegmentTerms(table, db)
    var lists: [TermList] = []
    for segment in try reader.segments() {
      let leaves = try reader.leaves(of: segment)
      lists.append(try reader.terms(on: leaves, at: 0..<leaves.count))
      if lists.reduce(0, { $0 + $1.size }) > 2 * sizeLimit { lists = [TermList.merged(lists, sizeLimit)] }
    }
    terms = TermList.merged(lists, sizeLimit)
  }
}

/// The vocabulary of a state of an index, after it was requested as a whole.
final class VocabularyCache: Sendable {
  private let known = Mutex<Vocabulary?>(nil)
  /// The terms that were accepted by recent searches.
  let similarTerms = SimilarTermsCache()
  /// The number of times that terms were read without caching them.
  private let partialReads = Atomic(0)

  /// The maximum number of partial reads. A partial read takes a few hundredths of a second, a full read a few seconds.
  private static let maximumPartialReads = 64

  /// Returns the cached value, or the result of `make`. Two threads that request it at the same time may both call it.
  func vocabulary(_ make: () throws -> Vocabulary) rethrows -> Vocabulary {
    if let vocabulary = known.withLock({ $0 }) { return vocabulary }
    let vocabulary = try make()
    known.withLock { $0 = vocabulary }
    return vocabulary
  }

  /// Returns whether only the requested terms should be read, because the vocabulary is not cached and terms have not
  /// been requested often.
  var prefersPartialRead: Bool {
    known.withLock { $0 == nil } && partialReads.load(ordering: .relaxed) < VocabularyCache.maximumPartialReads
  }

  /// Counts a transaction that read leaves. Terms that are found in ``similarTerms`` do not count.
  func countPartialRead() { partialReads.add(1, ordering: .relaxed) }
}
