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
  /// - Parameter sizeLimit: bytes of memory; where the terms need more, those of the fewest documents are left out.
  /// - Throws: ``FTS5FallbackRequired``, ``DoclistCorruption``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms.
  init(_ table: FullTextTable, _ db: Database, sizeLimit: Int = Vocabulary.sizeLimit) throws {
    let reader = try SegmentTerms(table, db)
    var lists: [TermList] = []
    for leaves in try reader.leaves() {
      lists.append(try reader.terms(on: leaves, at: 0..<leaves.count))
      if lists.reduce(0, { $0 + $1.size }) > 2 * sizeLimit { lists = [TermList.merged(lists, sizeLimit)] }
    }
    terms = TermList.merged(lists, sizeLimit)
  }
}

/// The vocabulary of a state of an index, once somebody has asked for all of it.
final class VocabularyCache: Sendable {
  private let known = Mutex<Vocabulary?>(nil)
  /// How often terms were read without keeping them.
  private let partialReadings = Atomic(0)

  /// Reading a part takes some hundredths of a second, and everything a few seconds.
  private static let maximumPartialReadings = 64

  /// The cached value, or else the result of `make`. Two threads that ask at the same time may both call it.
  func vocabulary(_ make: () throws -> Vocabulary) rethrows -> Vocabulary {
    if let vocabulary = known.withLock({ $0 }) { return vocabulary }
    let vocabulary = try make()
    known.withLock { $0 = vocabulary }
    return vocabulary
  }

  /// Whether the terms that somebody needs had better be read alone: the others are not at hand, and have not been
  /// needed often.
  func prefersPartialRead() -> Bool {
    known.withLock { $0 == nil }
      && partialReadings.add(1, ordering: .relaxed).oldValue < VocabularyCache.maximumPartialReadings
  }
}
