import GRDB
import SQLiteAccess

/// The terms of an index in a transaction, by prefix or similarity: from the vocabulary if it is in memory or can be
/// read quickly, otherwise from the leaves that may contain such terms.
///
/// Reading the vocabulary of 1,000,000 documents takes seconds, and most processes look up only a few words before the
/// index changes.
final class TermDictionary: TermSource {
  private enum Source {
    case vocabulary(TermList)
    case leaves([TermLeaves], SegmentTerms)
  }

  private let index: StoredFullTextIndex
  private let db: Database
  private let source: Source
  /// The terms that were read in the same state of the index; nil if nothing is cached.
  private let cache: VocabularyCache?
  /// Whether this dictionary counts as a partial read of the terms.
  private var isCounted = false
  /// The last list that was read for a prefix. Longer prefixes, which are requested to find stems, are looked up in it.
  private var last: (prefix: [UInt8], terms: TermList)?

  /// The maximum number of leaves for which the whole vocabulary is always read, in a few milliseconds.
  private static let fewLeaves = 64

  /// - Throws: ``TextIndexError`` if the index is damaged or its table format is unknown.
  init(_ index: StoredFullTextIndex, _ db: Database, fewLeaves: Int = TermDictionary.fewLeaves) throws {
    self.index = index
    self.db = db
    // Without document lengths there is no state, so nothing is cached.
    let state = try index.readingPostings { try index.cache.state(of: index, db) }
    cache = state?.terms
    source = try index.listingTerms {
      let reader = try SegmentTerms(index.table, db)
      if state?.terms.prefersPartialRead ?? true {
        let leaves = try state?.termLeaves(reader.leaves) ?? reader.leaves()
        if leaves.reduce(0, { $0 + $1.count }) > fewLeaves { return .leaves(leaves, reader) }
      }
      func readVocabulary() throws -> Vocabulary { try Vocabulary(index.table, db) }
      return .vocabulary(try (state?.terms.vocabulary(readVocabulary) ?? readVocabulary()).terms)
    }
  }

  func terms(beginningWith prefix: [UInt8]) throws -> TermList {
    if let last, prefix.starts(with: last.prefix) { return last.terms }
    let terms = try list { $0.leafIndexes(beginningWith: prefix) }
    last = (prefix, terms)
    return terms
  }

  func terms(near automaton: LevenshteinAutomaton) throws -> TermList { try list { $0.leafIndexes(near: automaton) } }

  func terms(acceptedBy search: TypoSearch) throws -> TermList {
    func read() throws -> TermList { try list(acceptedBy: search) { $0.leafIndexes(of: search) } }
    return try cache?.similarTerms.terms(search.key, read) ?? read()
  }

  func frequencies(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [ScannedFrequencies]? {
    try index.readingPostings { try PostingsReader(index, db).scan(prefix: prefix, terms, range) }
  }

  private func list<LeafIndexes: Sequence<Int>>(
    acceptedBy search: TypoSearch? = nil, _ leafIndexes: (TermLeaves) -> LeafIndexes
  ) throws -> TermList {
    switch source {
    case .vocabulary(let terms): return search.map { terms.accepted(by: $0) } ?? terms
    case .leaves(let segments, let reader):
      if !isCounted { cache?.countPartialRead() }
      isCounted = true
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
  /// - Throws: ``TextIndexError`` if the index is damaged or its table format is unknown.
  fileprivate func listingTerms<T>(_ body: () throws -> T) throws -> T {
    if let result = try readingPostings(body) { return result }
    throw TextIndexError(
      .unsupported, "the words of the index \"\(name)\" cannot be listed: this version of FTS5 is not supported")
  }
}
