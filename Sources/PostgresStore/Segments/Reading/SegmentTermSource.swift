import TextIndex

/// The terms of an index in segments, in a transaction.
final class SegmentTermSource: TermSource {
  private let index: StoredFullTextIndex
  private let store: SegmentPostingStore
  private var snapshot: IndexSnapshot { store.snapshot }
  private var storage: any SegmentStorage { store.storage }
  /// The last list that was read for a prefix. Longer prefixes, which are requested to find stems, are looked up in it.
  private var last: (prefix: [UInt8], terms: TermList)?

  /// The memory limit of a list, as in `Vocabulary`.
  private static let sizeLimit = 96 << 20

  init(_ index: StoredFullTextIndex, _ store: SegmentPostingStore) {
    self.index = index
    self.store = store
  }

  func terms(beginningWith prefix: [UInt8]) throws -> TermList {
    if let last, prefix.starts(with: last.prefix) { return last.terms }
    return try PostgresFullText.reporting(index) {
      let ranges = snapshot.segments.map { TermRange($0.segment.key, prefix: prefix) }
      let terms = try list(ranges.isEmpty ? [] : storage.pages(ranges, limit: .max))
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
    var ranges: [TermRange] = []
    var pageCounts: [Int] = []
    for view in snapshot.segments {
      let firsts = view.segment.firstTerms ?? []
      let pages = firsts.indices.filter { page in
        guard page + 1 < firsts.count else { return true }
        // All terms between two first terms begin with their common prefix.
        return canBegin(firsts[page].prefix(zip(firsts[page], firsts[page + 1]).prefix { $0 == $1 }.count))
      }
      ranges += pages.map { TermRange(view.segment.key, term: firsts[$0]) }
      pageCounts.append(pages.count)
    }
    var read = (ranges.isEmpty ? [] : try storage.pages(ranges, limit: 1))[...]
    return try list(
      pageCounts.map { count in
        defer { read = read.dropFirst(count) }
        return read.prefix(count).flatMap { $0 }
      })
  }

  private func loadFirstTerms() throws {
    let unknown = snapshot.segments.map(\.segment).filter { $0.firstTerms == nil }
    guard !unknown.isEmpty else { return }
    for (segment, terms) in zip(unknown, try storage.firstTerms(unknown.map(\.key))) { segment.firstTerms = terms }
  }

  /// Returns the terms on pages of the segments, and those of recent documents.
  private func list(_ pages: [[StoredPage]]) throws -> TermList {
    var lists = [snapshot.recentTerms]
    for segment in pages {
      var list = TermList()
      for page in segment {
        try page.bytes.withUnsafeBufferPointer {
          try DictionaryPage.forEach($0) { term, reader in
            let entry = try DictionaryEntry(frequenciesIn: &reader)
            if entry.documentFrequency > 0 {
              term.withUnsafeBufferPointer { list.append($0, frequency: UInt32(clamping: entry.documentFrequency)) }
            }
            return true
          }
        }
      }
      lists.append(list)
    }
    return TermList.merged(lists, SegmentTermSource.sizeLimit)
  }
}
