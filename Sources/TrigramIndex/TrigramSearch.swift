import PatternMatching
import TextIndex

/// Finds the document chunks that satisfy a trigram query.
///
/// The posting lists of a conjunction are read from the shortest to the longest. A long list is skipped if testing the
/// chunks that it could exclude takes less time than reading it; the result then contains more candidates, all of which
/// the caller tests.
struct TrigramSearch {
  private let lists: TrigramPostingLists

  init(_ lists: TrigramPostingLists) { self.lists = lists }

  /// The number of chunks that can be tested in the time that reading one page of a list takes. A page of 4 KiB takes 4
  /// µs. A chunk takes 60 µs if it has all trigrams by chance, because most of these are large.
  private static let chunksPerPage = 0.06
  /// The maximum number of queries of a conjunction that are all looked up before the first list is read.
  private static let fewOperands = 6

  /// Returns the chunks that may satisfy a query, ascending; nil for all.
  func chunks(for query: TrigramQuery) throws -> [UInt32]? {
    switch query {
    case .all: return nil
    case .none: return []
    case .trigram(let trigram): return try lists.chunks(with: trigram)
    case .or(let operands):
      // Operands are merged pairwise, so each chunk is copied O(log n) times instead of once per operand.
      return try union(operands[...])
    case .and(let operands): return try commonChunks(of: operands)
    }
  }

  /// Returns the chunks that may satisfy all of several queries, ascending; nil for all.
  ///
  /// Adjacent trigrams of a text have two letters in common, so every third is looked up first. Often, looking up the
  /// others takes longer than testing the chunks that they could exclude.
  private func commonChunks(of operands: [TrigramQuery]) throws -> [UInt32]? {
    var found: [UInt32]?
    // The fraction of chunks that the next list is expected to exclude: a moving average, since overlapping trigrams
    // are correlated.
    var share = 1.0
    func isEnough(_ pageCount: Int) -> Bool {
      found.map { Double($0.count) * share <= Double(pageCount) * TrigramSearch.chunksPerPage } ?? false
    }
    let partCount = operands.count > TrigramSearch.fewOperands ? 3 : 1
    for start in 0..<partCount {
      let part = stride(from: start, to: operands.count, by: partCount).map { operands[$0] }
      // Trigrams at other places of the text may exclude more chunks than the last list.
      share = max(share, 0.5)
      // A lookup takes about as long as reading a page.
      if isEnough(part.count * lists.segmentCount) { break }
      let ordered = try part.map { (query: $0, pageCount: try pageCount(of: $0)) }
        .sorted { $0.pageCount < $1.pageCount }
      for operand in ordered {
        if isEnough(operand.pageCount) { break }
        guard let known = found else {
          found = try chunks(for: operand.query)
          continue
        }
        guard let left = try chunks(for: operand.query, among: known) else { continue }
        share = (share + 1 - Double(left.count) / Double(known.count)) / 2
        found = left
      }
    }
    return found
  }

  /// Returns those of some chunks that may satisfy a query, ascending; nil for all.
  private func chunks(for query: TrigramQuery, among candidates: [UInt32]) throws -> [UInt32]? {
    guard case .trigram(let trigram) = query else { return try chunks(for: query)?.intersection(candidates) }
    return try lists.chunks(with: trigram, among: candidates)
  }

  private func union(_ operands: ArraySlice<TrigramQuery>) throws -> [UInt32]? {
    guard operands.count > 1 else { return try operands.first.map { try chunks(for: $0) } ?? [] }
    let middle = operands.startIndex + operands.count / 2
    guard let one = try union(operands[..<middle]), let other = try union(operands[middle...]) else { return nil }
    return one.merged(with: other)
  }

  /// Returns the estimated number of pages to read for a query.
  private func pageCount(of query: TrigramQuery) throws -> Int {
    switch query {
    case .all, .none: 0
    case .trigram(let trigram): try lists.pageCount(of: trigram)
    case .and(let operands): try operands.map { try pageCount(of: $0) }.min() ?? 0
    case .or(let operands): try operands.reduce(0) { try $0 + pageCount(of: $1) }
    }
  }
}
