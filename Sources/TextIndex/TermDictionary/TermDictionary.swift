import DocumentStore
import GRDB
import SQLiteAccess

/// The terms of an index in a transaction, by prefix or similarity: from the vocabulary if it is in memory or can be
/// read quickly, otherwise from the word lists of segments, or from the leaves that may contain such terms.
///
/// Reading the vocabulary of 1,000,000 documents takes seconds, and most processes look up only a few words before the
/// index changes.
final class TermDictionary: TermSource {
  private let index: StoredFullTextIndex
  private let db: Database
  private let reader: SegmentTerms
  private let segments: [SegmentStructure.Segment]
  /// The word list of each segment; nil for segments without one.
  private let wordLists: [WordList?]
  private let leaves: TermLeavesCache
  /// All terms; nil if parts are read.
  private let vocabulary: TermList?
  /// The terms that were read in the same state of the index; nil if nothing is cached.
  private let cache: VocabularyCache?
  private let fewLeaves: Int
  /// Whether this dictionary counts as a partial read of the terms.
  private var isCounted = false
  /// The last list that was read for a prefix. Longer prefixes, which are requested to find stems, are looked up in it.
  private var last: (prefix: [UInt8], terms: TermList)?

  /// The maximum number of leaves for which the whole vocabulary is always read, in a few milliseconds. Segments with
  /// fewer leaves have no word lists.
  private static let fewLeaves = WordListWriter.minimumLeafCount

  /// - Throws: ``TextIndexError`` if the index is damaged or its table format is unknown.
  init(_ index: StoredFullTextIndex, _ db: Database, fewLeaves: Int = TermDictionary.fewLeaves) throws {
    self.index = index
    self.db = db
    self.fewLeaves = fewLeaves
    // Without document lengths there is no state, so nothing is cached.
    let state = try index.readingPostings { try index.cache.state(of: index, db) }
    cache = state?.terms
    let leaves = state?.leaves ?? TermLeavesCache()
    self.leaves = leaves
    (reader, segments, wordLists, vocabulary) = try index.listingTerms {
      let reader = try SegmentTerms(index.table, db)
      let segments = try state?.segments ?? reader.segments()
      let wordLists = try leaves.wordLists(of: segments, minimumLeafCount: fewLeaves) {
        try WordListReader(index.table.name, db).list(of: $0)
      }
      func isLarge() throws -> Bool {
        if wordLists.contains(where: { $0 != nil }) { return true }
        return try segments.reduce(0) { try $0 + leaves.leaves(of: $1, reader.leaves).count } > fewLeaves
      }
      if state?.terms.prefersPartialRead ?? true, try isLarge() { return (reader, segments, wordLists, nil) }
      func readVocabulary() throws -> Vocabulary { try Vocabulary(index.table, db) }
      let vocabulary = try state?.terms.vocabulary(readVocabulary) ?? readVocabulary()
      return (reader, segments, wordLists, vocabulary.terms)
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
    func read() throws -> TermList {
      if let vocabulary {
        let terms = vocabulary.accepted(by: search)
        // An incomplete result must not be cached.
        try LongCall.check()
        return terms
      }
      return try search.includesNames
        ? list(acceptedBy: search) { $0.leafIndexes(of: search) } : words(acceptedBy: search)
    }
    return try cache?.similarTerms.terms(search.key, read) ?? read()
  }

  func frequencies(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [ScannedFrequencies]? {
    try index.readingPostings { try PostingsReader(index, db).scan(prefix: prefix, terms, range) }
  }

  private func list<LeafIndexes: Sequence<Int>>(
    acceptedBy search: TypoSearch? = nil, _ leafIndexes: (TermLeaves) -> LeafIndexes
  ) throws -> TermList {
    if let vocabulary { return vocabulary }
    return try index.listingTerms {
      let segments = try self.segments.map { try leaves.leaves(of: $0, reader.leaves) }
      countPartialRead(of: segments)
      return try TermList.merged(
        segments.map { try reader.terms(on: $0, at: leafIndexes($0), acceptedBy: search) }, Vocabulary.sizeLimit)
    }
  }

  /// Returns the words that a search without names accepts: from the word lists, or the leaves of segments without one.
  private func words(acceptedBy search: TypoSearch) throws -> TermList {
    try index.listingTerms {
      let lists = try WordListReader(index.table.name, db)
      let unread = wordLists.compactMap { $0 }.filter { !$0.isRead }
      let memory = WordMemory(blockCount: unread.reduce(0) { $0 + $1.blockCount })
      func words() throws -> [TermList?] {
        try WordListSearch.words(of: wordLists, acceptedBy: search) { try lists.blocks(of: $0, into: memory) }
      }
      let listed = try unread.isEmpty ? words() : db.withSmallPageCache(words)
      var found: [TermList] = []
      var unlisted: [TermLeaves] = []
      for (segment, words) in zip(segments, listed) {
        if let words {
          found.append(words)
        } else {
          unlisted.append(try leaves.leaves(of: segment, reader.leaves))
        }
      }
      countPartialRead(of: unlisted)
      found += try unlisted.map { try reader.terms(on: $0, at: $0.leafIndexes(of: search), acceptedBy: search) }
      return TermList.merged(found, Vocabulary.sizeLimit)
    }
  }

  /// Counts this dictionary if it reads so many leaves that the whole vocabulary should be read if that happens often.
  private func countPartialRead(of segments: [TermLeaves]) {
    guard !isCounted, segments.reduce(0, { $0 + $1.count }) > fewLeaves else { return }
    isCounted = true
    cache?.countPartialRead()
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
