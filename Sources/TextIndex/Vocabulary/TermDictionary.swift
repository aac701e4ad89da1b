import GRDB
import SQLiteAccess

/// The terms of an index, in a transaction, by their beginning or by what they are close to: from the vocabulary where
/// it is in memory or quickly made, and otherwise from the leaves that may have such terms.
///
/// The vocabulary of 1,000,000 documents takes seconds, and most processes ask for a word or two before the index
/// changes.
final class TermDictionary {
  private enum Source {
    case vocabulary(TermList)
    case leaves([TermLeaves], SegmentTerms)
  }

  private let index: StoredFullTextIndex
  private let source: Source
  /// The last list with a prefix: stems are searched for among the words around them.
  private var last: (prefix: [UInt8], terms: TermList)?

  /// With so many leaves the vocabulary takes a few milliseconds.
  private static let fewLeaves = 64

  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  init(_ index: StoredFullTextIndex, _ db: Database, fewLeaves: Int = TermDictionary.fewLeaves) throws {
    self.index = index
    // Without lengths there is no state to cache anything in.
    let state = try index.readingDoclists { try index.cache.state(of: index, db) }
    source = try index.listingTerms {
      let reader = try SegmentTerms(index.table, db)
      if state?.terms.prefersPartialRead() ?? true {
        let leaves = try state?.termLeaves(reader.leaves) ?? reader.leaves()
        if leaves.reduce(0, { $0 + $1.count }) > fewLeaves { return .leaves(leaves, reader) }
      }
      func made() throws -> Vocabulary { try Vocabulary(index.table, db) }
      return .vocabulary(try (state?.terms.vocabulary(made) ?? made()).terms)
    }
  }

  /// Terms, those with a beginning among them.
  func terms(beginningWith prefix: [UInt8]) throws -> TermList {
    if let last, prefix.starts(with: last.prefix) { return last.terms }
    let terms = try list { $0.leafIndexes(beginningWith: prefix) }
    last = (prefix, terms)
    return terms
  }

  /// Terms, those that an automaton accepts among them, and those that begin with something it accepts.
  func terms(near automaton: LevenshteinAutomaton) throws -> TermList { try list { $0.leafIndexes(near: automaton) } }

  /// Terms, those that a search accepts among them.
  func terms(acceptedBy search: TypoSearch) throws -> TermList {
    try list(acceptedBy: search) { $0.leafIndexes(of: search) }
  }

  private func list<LeafIndexes: Sequence<Int>>(
    acceptedBy search: TypoSearch? = nil, _ leafIndexes: (TermLeaves) -> LeafIndexes
  ) throws -> TermList {
    switch source {
    case .vocabulary(let terms): return terms
    case .leaves(let segments, let reader):
      return try index.listingTerms {
        try TermList.merged(
          segments.map { try reader.terms(on: $0, at: leafIndexes($0), acceptedBy: search) }, Vocabulary.sizeLimit)
      }
    }
  }
}

extension StoredFullTextIndex {
  /// Calls `body`, which reads terms.
  ///
  /// - Throws: ``TextIndexError`` for an index that is damaged, or whose tables have a form that is not known.
  fileprivate func listingTerms<T>(_ body: () throws -> T) throws -> T {
    if let result = try readingDoclists(body) { return result }
    throw TextIndexError(
      .unsupported, "the words of the index \"\(name)\" cannot be listed: this version of FTS5 is not known")
  }
}
