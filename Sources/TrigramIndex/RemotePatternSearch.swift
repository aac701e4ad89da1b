import PatternMatching
import TextIndex

/// Finds the documents that may satisfy a trigram query in the lists of another database.
struct RemotePatternSearch {
  let indexes: any RemotePatternIndexes
  let id: Int64

  /// Returns candidates in ascending order; nil if there are more than a limit, or if every document is one.
  func rows(for query: TrigramQuery, isWithinLines: Bool, limit: Int) throws -> [Int64]? {
    var trigrams: Set<UInt32> = []
    collect(query, &trigrams)
    let lists = try indexes.patternLists(id, of: trigrams)
    guard var rows = rows(for: query, lists) else { return nil }
    rows = rows.merged(with: lists.unlisted)
    if !isWithinLines { rows = rows.merged(with: lists.long) }
    return rows.count > limit ? nil : rows.map { Int64($0) }
  }

  private func collect(_ query: TrigramQuery, _ trigrams: inout Set<UInt32>) {
    switch query {
    case .all, .none: break
    case .trigram(let trigram): trigrams.insert(trigram.rawValue)
    case .and(let operands), .or(let operands): for operand in operands { collect(operand, &trigrams) }
    }
  }

  private func rows(for query: TrigramQuery, _ lists: RemotePatternLists) -> [UInt32]? {
    switch query {
    case .all: return nil
    case .none: return []
    case .trigram(let trigram): return lists.lists[trigram.rawValue] ?? []
    case .and(let operands):
      let found = operands.compactMap { rows(for: $0, lists) }.sorted { $0.count < $1.count }
      guard let first = found.first else { return nil }
      return found.dropFirst().reduce(first) { $0.intersection($1) }
    case .or(let operands):
      var all: [UInt32] = []
      for operand in operands {
        guard let found = rows(for: operand, lists) else { return nil }
        all = all.merged(with: found)
      }
      return all
    }
  }
}
