import GRDB

/// The terms of an index, in a transaction, by their beginning or by what they are close to: from the vocabulary where it is in
/// memory or quickly made, and otherwise from the leaves that may have such terms.
///
/// The vocabulary of 1,000,000 documents takes seconds, and most processes ask for a word or two.
final class TermDictionary {
  private enum Source {
    case vocabulary(TermList)
    case leaves([TermLeaves], SegmentTerms)
  }

  private let index: InvertedIndex
  private let source: Source
  /// The last list with a beginning: stems are sought among the words around them.
  private var last: (prefix: [UInt8], terms: TermList)?

  /// With so many leaves the vocabulary takes some hundredths of a second.
  private static let fewLeaves: Int64 = 2048

  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  init(_ index: InvertedIndex, _ db: Database, fewLeaves: Int64 = TermDictionary.fewLeaves) throws {
    self.index = index
    let leaves = try index.listingTerms { () -> (TermLeavesOfIndex)? in
      let structure = try DoclistFormat.block(DoclistFormat.structureID, table: index.table.name, db)
      guard let segments = try SegmentStructure(structure)?.segments else { throw UnreadableIndex.unknownFormat }
      let count = segments.reduce(0) { $0 + $1.lastLeaf - $1.firstLeaf + 1 }
      guard count > fewLeaves, index.cache.segmentTerms.isWorthPartialReading() else { return nil }
      let reader = try SegmentTerms(index.table, db)
      return (try segments.map { try reader.leaves(of: $0) }, reader)
    }
    source = try leaves.map { .leaves($0, $1) } ?? .vocabulary(index.vocabulary(db).terms)
  }

  private typealias TermLeavesOfIndex = ([TermLeaves], SegmentTerms)

  /// Terms, those with a beginning among them.
  func terms(beginningWith prefix: [UInt8]) throws -> TermList {
    if let last, prefix.starts(with: last.prefix) { return last.terms }
    let terms = try list { $0.places(beginningWith: prefix) }
    last = (prefix, terms)
    return terms
  }

  /// Terms, those that an automaton accepts among them, and those that begin with something it accepts.
  func terms(near automaton: TypoAutomaton) throws -> TermList { try list { $0.places(near: automaton) } }

  private func list<Places: Sequence<Int>>(_ places: (TermLeaves) -> Places) throws -> TermList {
    switch source {
    case .vocabulary(let terms): return terms
    case .leaves(let segments, let reader):
      return try index.listingTerms {
        try TermList.merged(segments.map { try reader.terms(on: $0, at: places($0)) }, Vocabulary.sizeLimit)
      }
    }
  }
}
