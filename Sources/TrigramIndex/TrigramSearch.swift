import PatternMatching
import TextIndex

/// Finds the parts of documents that satisfy a query over trigrams.
///
/// Of a conjunction the rarest trigrams are read first. The list of a common one is left out where testing the parts that it may
/// rule out takes less time than reading it: the documents are tested in any case.
struct TrigramSearch {
  private let lists: TrigramPostingLists

  init(_ lists: TrigramPostingLists) { self.lists = lists }

  /// How many parts can be tested in the time that a page of a list takes to be read: some 6 µs a page of 4 KiB, 30 µs a part.
  private static let partsPerPage = 0.2

  /// The parts that may satisfy a query, ascending; nil for all.
  func parts(for query: TrigramQuery) throws -> [UInt32]? {
    switch query {
    case .all: return nil
    case .none: return []
    case .trigram(let trigram): return try lists.parts(with: trigram)
    case .or(let operands):
      // Halves are joined, then halves of halves: each part is copied a few times and not once an operand.
      return try union(operands[...])
    case .and(let operands):
      let ordered = try operands.map { (query: $0, pageCount: try pageCount(of: $0)) }
        .sorted { $0.pageCount < $1.pageCount }
      var found: [UInt32]?
      // What the lists so far have ruled out, the last one most: trigrams that overlap say nearly the same.
      var share = 1.0
      for operand in ordered {
        guard let known = found else {
          found = try parts(for: operand.query)
          continue
        }
        if Double(known.count) * share <= Double(operand.pageCount) * TrigramSearch.partsPerPage { break }
        guard let parts = try parts(for: operand.query) else { continue }
        let left = known.intersection(parts)
        share = (share + 1 - Double(left.count) / Double(known.count)) / 2
        found = left
      }
      return found
    }
  }

  private func union(_ operands: ArraySlice<TrigramQuery>) throws -> [UInt32]? {
    guard operands.count > 1 else { return try operands.first.map { try parts(for: $0) } ?? [] }
    let middle = operands.startIndex + operands.count / 2
    guard let one = try union(operands[..<middle]), let other = try union(operands[middle...]) else { return nil }
    return one.merged(with: other)
  }

  /// About how many pages must be read for a query.
  private func pageCount(of query: TrigramQuery) throws -> Int {
    switch query {
    case .all, .none: 0
    case .trigram(let trigram): try lists.pageCount(of: trigram)
    case .and(let operands): try operands.map { try pageCount(of: $0) }.min() ?? 0
    case .or(let operands): try operands.reduce(0) { try $0 + pageCount(of: $1) }
    }
  }
}
