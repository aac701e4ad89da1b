import DocumentStore

/// Rows in ascending order with their scores, if they are scored.
///
/// The methods end early if `LongCall.shouldEnd()`; the caller calls `LongCall.check()`.
struct RowScores {
  var rows: [UInt32] = []
  private(set) var scores: [Double] = []
  private let isScored: Bool

  init(isScored: Bool, capacity: Int = 0) {
    self.isScored = isScored
    rows.reserveCapacity(capacity)
    if isScored { scores.reserveCapacity(capacity) }
  }

  /// Creates rows whose scores are 0.
  init(rows: [UInt32], isScored: Bool) {
    self.rows = rows
    self.isScored = isScored
    scores = isScored ? Array(repeating: 0, count: rows.count) : []
  }

  mutating func append(_ row: UInt32, _ score: Double) {
    rows.append(row)
    if isScored { scores.append(score) }
  }

  func intersection(_ other: RowScores) -> RowScores {
    var result = RowScores(isScored: isScored, capacity: min(rows.count, other.rows.count))
    rows.withUnsafeBufferPointer { mine in
      other.rows.withUnsafeBufferPointer { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return }
        var (one, two) = (0, 0)
        var check = RowCheck()
        while one < rows.count, two < other.rows.count {
          if check.shouldEnd() { return }
          if mine[one] == theirs[two] {
            result.append(mine[one], isScored ? scores[one] + other.scores[two] : 0)
            one += 1
            two += 1
          } else if mine[one] < theirs[two] {
            one = mine.position(of: theirs[two], from: one, count: rows.count)
          } else {
            two = theirs.position(of: mine[one], from: two, count: other.rows.count)
          }
        }
      }
    }
    return result
  }

  /// Returns the rows that are in any of the lists, with the sums of their scores. Scores are added in the order of the
  /// lists, which is that of the query, as in ``ScoreExplanation``.
  func adding(_ others: [RowScores]) -> RowScores {
    let all = rows.isEmpty ? others : [self] + others
    if all.count == 1 { return all[0] }
    var sum = RowScores(rows: RowScores.union(all[...]), isScored: isScored)
    guard isScored else { return sum }
    for list in all {
      if LongCall.shouldEnd() { break }
      sum.add(list)
    }
    return sum
  }

  /// Merges halves recursively because each merge copies its input.
  private static func union(_ lists: ArraySlice<RowScores>) -> [UInt32] {
    guard let first = lists.first else { return [] }
    if lists.count == 1 { return first.rows }
    let middle = lists.startIndex + lists.count / 2
    return union(lists[..<middle]).merged(with: union(lists[middle...]))
  }

  /// Adds the scores of some of the rows.
  private mutating func add(_ other: RowScores) {
    rows.withUnsafeBufferPointer { all in
      guard let all = all.baseAddress else { return }
      var position = 0
      for (number, row) in other.rows.enumerated() {
        position = all.position(of: row, from: position, count: rows.count)
        scores[position] += other.scores[number]
      }
    }
  }

  /// Adds the scores of a term that rows need not contain.
  mutating func add(_ term: TermScorer, _ postings: Postings) {
    guard isScored else { return }
    var position = 0
    var check = RowCheck()
    for (number, row) in rows.enumerated() {
      if check.shouldEnd() { return }
      position = postings.rows.position(of: row, from: position, count: postings.count)
      if position == postings.count { return }
      guard postings.rows[position] == row else { continue }
      scores[number] += term(row, postings.frequencies[position], postings.overflow)
    }
  }

  /// Adds the summands for the lengths of documents, if the model has one.
  mutating func complete(_ lengths: WindowedSearch.LengthParts) {
    guard isScored, !lengths.isEmpty else { return }
    for (number, row) in rows.enumerated() { scores[number] = lengths.complete(scores[number], row) }
  }

  func subtracting(_ other: RowScores) -> RowScores {
    var result = RowScores(isScored: isScored, capacity: rows.count)
    var two = 0
    var check = RowCheck()
    for (one, row) in rows.enumerated() {
      if check.shouldEnd() { break }
      while two < other.rows.count, other.rows[two] < row { two += 1 }
      if two < other.rows.count, other.rows[two] == row { continue }
      result.append(row, isScored ? scores[one] : 0)
    }
    return result
  }
}
