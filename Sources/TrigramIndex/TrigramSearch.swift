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

  /// The number of chunks that can be tested in the time that reading one page of a list takes. A page of 4 KiB takes 6
  /// µs, a chunk 30 µs.
  private static let chunksPerPage = 0.2

  /// Returns the chunks that may satisfy a query, ascending; nil for all.
  func chunks(for query: TrigramQuery) throws -> [UInt32]? {
    switch query {
    case .all: return nil
    case .none: return []
    case .trigram(let trigram): return try lists.chunks(with: trigram)
    case .or(let operands):
      // Operands are merged pairwise, so each chunk is copied O(log n) times instead of once per operand.
      return try union(operands[...])
    case .and(let operands):
      let ordered = try operands.map { (query: $0, pageCount: try pageCount(of: $0)) }
        .sorted { $0.pageCount < $1.pageCount }
      var found: [UInt32]?
      // The fraction of chunks that the next list is expected to exclude: a moving average, since overlapping trigrams
      // are correlated.
      var share = 1.0
      for operand in ordered {
        guard let known = found else {
          found = try chunks(for: operand.query)
          continue
        }
        if Double(known.count) * share <= Double(operand.pageCount) * TrigramSearch.chunksPerPage { break }
        guard let chunks = try chunks(for: operand.query) else { continue }
        let left = known.intersection(chunks)
        share = (share + 1 - Double(left.count) / Double(known.count)) / 2
        found = left
      }
      return found
    }
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
