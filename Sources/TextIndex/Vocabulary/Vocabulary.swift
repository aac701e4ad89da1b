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
  /// - Throws: ``UnreadableIndex``, ``DoclistDamage``, `DatabaseError`.
  /// - Complexity: O(v) in the number of terms and of segments that have them.
  init(_ table: FullTextTable, _ db: Database, sizeLimit: Int = Vocabulary.sizeLimit) throws {
    guard let structure = try SegmentStructure(DoclistFormat.block(DoclistFormat.structureID, table: table.name, db))
    else {
      throw UnreadableIndex.unknownFormat
    }
    let reader = try SegmentTerms(table, db)
    // The shortest two first, so that the longest is copied once.
    var lists = try structure.segments.map { try reader.terms(of: $0) }
    while lists.count > 1 {
      lists.sort { $0.count > $1.count }
      let (shortest, next) = (lists.removeLast(), lists.removeLast())
      lists.append(TermList.merging(next, shortest).limited(to: sizeLimit))
    }
    terms = (lists.first ?? TermList()).limited(to: sizeLimit)
  }
}

extension TermList {
  /// The list itself, or what is left of it when terms of few documents go until the rest fits.
  fileprivate func limited(to size: Int) -> TermList {
    var (list, minimum) = (self, UInt32(1))
    while list.size > size, minimum < UInt32.max / 2 {
      minimum *= 2
      list = list.filtered(minimumFrequency: minimum)
    }
    return list
  }
}

extension InvertedIndex {
  /// The terms of the index in the state that a transaction sees.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  func vocabulary(_ db: Database) throws -> Vocabulary {
    let state = try readingDoclists { try cache.state(of: self, db) }
    // Without lengths there is no state that could keep it.
    let vocabulary = try readingDoclists {
      try state?.vocabulary { try Vocabulary(table, db) } ?? Vocabulary(table, db)
    }
    guard let vocabulary else {
      throw TextIndexError(
        .unsupported, "the words of the index \"\(name)\" cannot be listed: this version of FTS5 is not known")
    }
    return vocabulary
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
