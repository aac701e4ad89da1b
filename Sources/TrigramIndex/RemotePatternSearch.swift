import PatternMatching
import TextIndex

/// Finds the documents that may satisfy a trigram query in the lists of another database.
///
/// The lists of a conjunction are read from the shortest to the longest, several in one round trip. The remaining lists
/// are not read if testing the documents that they could exclude takes less time; the result then contains more
/// candidates, all of which the caller tests.
struct RemotePatternSearch {
  let indexes: any RemotePatternIndexes
  let id: Int64

  /// The size in bytes of the lists that are read in the first round trip, if the shortest ones are not larger.
  private static let firstSize = 64 << 10
  /// The growth of that size from one round trip to the next.
  private static let growth = 8
  /// The number of bytes of lists that can be read in the time that reading and testing a document takes.
  private static let bytesPerDocument = 4_000.0
  /// The number of bytes of lists that can be read in the time of a round trip.
  private static let bytesPerRoundTrip = 100_000.0

  /// Returns candidates in ascending order; nil if there are more than a limit, or if every document is one.
  func rows(for query: TrigramQuery, isWithinLines: Bool, limit: Int) throws -> [Int64]? {
    var trigrams: Set<UInt32> = []
    RemotePatternSearch.collect(query, &trigrams)
    let summary = try indexes.patternSummary(id, of: trigrams, withLongDocuments: !isWithinLines)
    guard var rows = try listedRows(for: query, summary) else { return nil }
    let recent = summary.recent.filter { document in
      let trigrams = Set(document.trigrams)
      return query.isSatisfied { trigrams.contains($0.rawValue) }
    }
    rows = rows.merged(with: recent.map(\.row))
    if !isWithinLines { rows = rows.merged(with: summary.long) }
    return rows.count > limit ? nil : rows.map { Int64($0) }
  }

  /// Returns the candidates in lists; nil for all documents.
  private func listedRows(for query: TrigramQuery, _ summary: RemotePatternSummary) throws -> [UInt32]? {
    let sizes = summary.sizes
    var lists = summary.lists
    var found = lists.isEmpty ? nil : RemotePatternSearch.rows(for: query, lists)
    // The fraction of candidates that the next lists are expected to exclude: a moving average, since overlapping
    // trigrams are correlated.
    var share = 1.0
    var size = RemotePatternSearch.firstSize
    while true {
      let wanted = Choice(query, sizes, size: size)
      let missing = wanted.trigrams.filter { lists[$0] == nil }
      if missing.isEmpty {
        if wanted.isComplete { return found }
        size *= RemotePatternSearch.growth
        continue
      }
      if let found {
        let cost = RemotePatternSearch.bytesPerRoundTrip + Double(missing.reduce(0) { $0 + sizes[$1, default: 0] })
        if Double(found.count) * share * RemotePatternSearch.bytesPerDocument <= cost { return found }
      }
      for trigram in missing { lists[trigram] = [] }
      let stored = missing.filter { sizes[$0] != nil }
      if !stored.isEmpty { lists.merge(try indexes.patternLists(id, of: stored)) { $1 } }
      let left = RemotePatternSearch.rows(for: query, lists)
      if let found, let left, !found.isEmpty {
        share = (share + 1 - Double(left.count) / Double(found.count)) / 2
      }
      found = left
      size *= RemotePatternSearch.growth
    }
  }

  private static func collect(_ query: TrigramQuery, _ trigrams: inout Set<UInt32>) {
    switch query {
    case .all, .none: break
    case .trigram(let trigram): trigrams.insert(trigram.rawValue)
    case .and(let operands), .or(let operands): for operand in operands { collect(operand, &trigrams) }
    }
  }

  /// Returns the candidates by the lists that were read; nil for all documents.
  private static func rows(for query: TrigramQuery, _ lists: [UInt32: [UInt32]]) -> [UInt32]? {
    switch query {
    case .all: return nil
    case .none: return []
    case .trigram(let trigram): return lists[trigram.rawValue]
    case .and(let operands):
      let found = operands.compactMap { rows(for: $0, lists) }.sorted { $0.count < $1.count }
      guard let first = found.first else { return nil }
      return found.dropFirst().reduce(first) { $0.intersection($1) }
    case .or(let operands):
      var all: [[UInt32]] = []
      for operand in operands {
        guard let found = rows(for: operand, lists) else { return nil }
        all.append(found)
      }
      return union(all[...])
    }
  }

  /// Merges pairwise, so each row is copied O(log n) times instead of once per list.
  private static func union(_ lists: ArraySlice<[UInt32]>) -> [UInt32] {
    guard lists.count > 1 else { return lists.first ?? [] }
    let middle = lists.startIndex + lists.count / 2
    return union(lists[..<middle]).merged(with: union(lists[middle...]))
  }
}

/// The lists to read for a query: the shortest that exclude documents, and as many others as a size permits.
private struct Choice {
  var trigrams: Set<UInt32> = []
  /// Whether these are all lists of the query.
  var isComplete = true

  init(_ query: TrigramQuery, _ sizes: [UInt32: Int], size: Int) { add(query, sizes, size) }

  private mutating func add(_ query: TrigramQuery, _ sizes: [UInt32: Int], _ size: Int) {
    switch query {
    case .all, .none: break
    case .trigram(let trigram): trigrams.insert(trigram.rawValue)
    case .or(let operands): for operand in operands { add(operand, sizes, size / operands.count) }
    case .and(let operands):
      let ordered = operands.map { (query: $0, size: Choice.size(of: $0, sizes)) }.sorted { $0.size < $1.size }
      var left = size
      for (number, operand) in ordered.enumerated() {
        guard number == 0 || operand.size <= left else {
          isComplete = false
          return
        }
        add(operand.query, sizes, max(left, 0))
        left -= operand.size
      }
    }
  }

  /// Returns the size of the lists that must be read for a query to exclude documents.
  private static func size(of query: TrigramQuery, _ sizes: [UInt32: Int]) -> Int {
    switch query {
    case .all, .none: 0
    case .trigram(let trigram): sizes[trigram.rawValue] ?? 0
    case .and(let operands): operands.map { size(of: $0, sizes) }.min() ?? 0
    case .or(let operands): operands.reduce(0) { $0 + size(of: $1, sizes) }
    }
  }
}
