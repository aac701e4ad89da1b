import TextIndex

/// The terms of an index in segments, in a transaction.
final class SegmentTermSource: TermSource {
  private let index: StoredFullTextIndex
  private let store: SegmentPostingStore
  private var snapshot: IndexSnapshot { store.snapshot }
  private var storage: any SegmentStorage { store.storage }
  /// The last list that was read for a prefix. Longer prefixes, which are requested to find stems, are looked up in it.
  private var last: (prefix: [UInt8], terms: TermList)?

  init(_ index: StoredFullTextIndex, _ store: SegmentPostingStore) {
    self.index = index
    self.store = store
  }

  func terms(beginningWith prefix: [UInt8]) throws -> TermList {
    if let last, prefix.starts(with: last.prefix) { return last.terms }
    return try PostgresFullText.reporting(index) {
      var lists = SegmentTermLists(snapshot)
      try store.forEachPage(prefix: prefix) { try lists.append($1, ofSegment: $0) }
      let terms = lists.merged()
      last = (prefix, terms)
      return terms
    }
  }

  func terms(near automaton: LevenshteinAutomaton) throws -> TermList {
    try PostgresFullText.reporting(index) { try terms { automaton.canAccept(beginning: $0) } }
  }

  func terms(acceptedBy search: TypoSearch) throws -> TermList {
    try PostgresFullText.reporting(index) { try terms { search.canAccept(beginning: $0) } }
  }

  /// Counts the terms with a prefix.
  func frequencies(prefix: String, _ terms: TermList, _ range: Range<Int>) throws -> [ScannedFrequencies]? {
    var counts = Array(repeating: ScannedFrequencies(), count: range.count)
    try PostgresFullText.reporting(index) {
      try store.forEachTerm(prefix: Array(prefix.utf8), withPositions: false) { term, postings in
        guard let number = terms.number(of: term), range.contains(number) else { return }
        let occurrences = postings.collectionFrequencies(columnCount: store.columnCount)
        counts[number - range.lowerBound].documents += postings.count
        counts[number - range.lowerBound].occurrences += occurrences.reduce(0) { $0 + Int(clamping: $1) }
      }
    }
    return counts
  }

  /// Returns the terms on the pages that may contain terms with an accepted beginning.
  private func terms(_ canBegin: (ArraySlice<UInt8>) -> Bool) throws -> TermList {
    try loadFirstTerms()
    var pages: [(segment: Int, range: TermRange)] = []
    for (number, view) in snapshot.segments.enumerated() {
      let firsts = view.segment.firstTerms ?? []
      for page in firsts.indices {
        // All terms between two first terms begin with their common prefix.
        let common = page + 1 < firsts.count ? zip(firsts[page], firsts[page + 1]).prefix { $0 == $1 }.count : 0
        guard page + 1 == firsts.count || canBegin(firsts[page].prefix(common)) else { continue }
        pages.append((number, TermRange(view.segment.key, term: firsts[page])))
      }
    }
    var lists = SegmentTermLists(snapshot)
    for start in stride(from: 0, to: pages.count, by: SegmentPostingStore.pageBatch) {
      let part = pages[start..<min(pages.count, start + SegmentPostingStore.pageBatch)]
      for ((segment, _), read) in zip(part, try storage.pages(part.map { $0.range }, limit: 1)) {
        for page in read { try lists.append(page, ofSegment: segment) }
      }
    }
    return lists.merged()
  }

  private func loadFirstTerms() throws {
    let unknown = snapshot.segments.map(\.segment).filter { $0.firstTerms == nil }
    guard !unknown.isEmpty else { return }
    for (segment, terms) in zip(unknown, try storage.firstTerms(unknown.map(\.key))) { segment.firstTerms = terms }
  }
}

/// The terms of dictionary pages and of recent documents.
private struct SegmentTermLists {
  /// Terms of recent documents, and of pages whose lists were merged.
  private var known: TermList
  /// The terms of the later pages of each segment.
  private var lists: [TermList]
  /// The size of ``lists`` in bytes.
  private var size = 0

  /// The memory limit of the terms, as in `Vocabulary`.
  private static let sizeLimit = 96 << 20

  init(_ snapshot: IndexSnapshot) {
    known = snapshot.recentTerms
    lists = Array(repeating: TermList(), count: snapshot.segments.count)
  }

  /// Adds the terms of a page of a segment. Its earlier pages must have been added before.
  mutating func append(_ page: StoredPage, ofSegment number: Int) throws {
    size -= lists[number].size
    try page.bytes.withUnsafeBufferPointer {
      try DictionaryPage.forEach($0) { term, reader in
        let entry = try DictionaryEntry(frequenciesIn: &reader)
        if entry.documentFrequency > 0 {
          term.withUnsafeBufferPointer {
            lists[number].append($0, frequency: UInt32(clamping: entry.documentFrequency))
          }
        }
        return true
      }
    }
    size += lists[number].size
    if size > SegmentTermLists.sizeLimit { known = merged() }
  }

  /// Returns the terms. If they exceed the memory limit, terms in few documents are left out.
  mutating func merged() -> TermList {
    defer {
      lists = Array(repeating: TermList(), count: lists.count)
      size = 0
    }
    return TermList.merged([known] + lists, SegmentTermLists.sizeLimit)
  }
}
