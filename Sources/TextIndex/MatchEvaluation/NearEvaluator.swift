/// Finds the documents in which phrases are near each other in one column; see ``NearSweep``.
struct NearEvaluator {
  private let lengths: [Int]
  private let distance: Int
  private let columnCount: Int

  /// - Parameters:
  ///   - lengths: the number of positions of each phrase.
  ///   - distance: the maximum number of terms between phrases.
  ///   - columnCount: the number of columns of the index.
  init(_ lengths: [Int], distance: Int, columnCount: Int) {
    self.lengths = lengths
    self.distance = distance
    self.columnCount = columnCount
  }

  /// Returns the phrases, restricted to the documents and positions at which all are near each other.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  /// - Complexity: O(p) in the number of positions in the documents that contain all phrases.
  func evaluate(_ leaves: [MatchLeaf]) throws -> [MatchLeaf] {
    let results = UnsafeMutablePointer<PostingsStorage>.allocate(capacity: leaves.count)
    defer { results.deallocate() }
    for number in leaves.indices { (results + number).initialize(to: PostingsStorage(keepingPositions: false)) }
    do {
      try fill(results, leaves)
    } catch {
      results.deinitialize(count: leaves.count)
      throw error
    }
    return leaves.indices.map {
      MatchLeaf(Postings((results + $0).move()), statistics: leaves[$0].statistics)
    }
  }

  private func fill(_ results: UnsafeMutablePointer<PostingsStorage>, _ leaves: [MatchLeaf]) throws {
    let sources = leaves.compactMap { PositionSource($0.postings, columnCount: columnCount) }
    guard sources.count == leaves.count else { return }
    var rows = RowIntersection(leaves.map(\.postings))
    var sweep = NearSweep(lengths, distance: distance)
    var frequencies = Array(repeating: [(column: Int, count: UInt32)](), count: leaves.count)
    var check = RowCheck()
    while let row = rows.next() {
      try check.step()
      sweep.removeAll()
      for (number, source) in sources.enumerated() {
        var cursor = source.cursor(rows.positions[number])
        var tokenPosition = cursor.next()
        while tokenPosition != PositionCursor.none {
          sweep.append(tokenPosition)
          tokenPosition = cursor.next()
        }
        sweep.endPhrase()
      }
      sweep.forEachNear { phrase, _, tokenPosition in
        let column = TermPosition(tokenPosition).column
        if let last = frequencies[phrase].indices.last, frequencies[phrase][last].column == column {
          frequencies[phrase][last].count += 1
        } else {
          frequencies[phrase].append((column, 1))
        }
      }
      // If one phrase has a position in this row, all phrases do.
      for number in leaves.indices where !frequencies[number].isEmpty {
        let code = results[number].frequencies(frequencies[number])
        results[number].append(row, code, UnsafeBufferPointer(start: nil, count: 0))
        frequencies[number].removeAll(keepingCapacity: true)
      }
    }
  }
}
