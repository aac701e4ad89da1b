/// Finds the documents in which terms are adjacent.
struct PhraseEvaluator {
  private let parts: [Postings]
  private let columnCount: Int
  /// Whether the phrase is searched for in each column; nil for all columns.
  private let isWanted: [Bool]?
  /// Whether the phrase must be at the beginning of a column.
  private let isInitial: Bool

  /// - Parameters:
  ///   - parts: the postings of each position, with positions.
  ///   - columnCount: the number of columns of the index.
  ///   - columns: the columns in which the phrase is searched for; nil for all.
  ///   - isInitial: whether the phrase must be at the beginning of a column.
  init(_ parts: [Postings], columnCount: Int, _ columns: Set<Int>?, isInitial: Bool) {
    self.parts = parts
    self.columnCount = columnCount
    isWanted = columns.map { columns in (0..<columnCount).map { columns.contains($0) } }
    self.isInitial = isInitial
  }

  /// Returns the documents that contain the phrase, with its positions.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  func evaluate(keepingPositions: Bool) throws -> Postings {
    var result = PostingsStorage(keepingPositions: keepingPositions)
    var rows = RowIntersection(parts)
    var tokenPositions = GrowableBuffer<UInt64>()
    var writer = PoslistWriter()
    let sources = UnsafeMutablePointer<PositionSource>.allocate(capacity: parts.count)
    defer { sources.deallocate() }
    for (number, part) in parts.enumerated() {
      guard let source = PositionSource(part, columnCount: columnCount) else { return Postings(result) }
      (sources + number).initialize(to: source)
    }
    var check = RowCheck()
    while let row = rows.next() {
      try check.step()
      tokenPositions.removeAll()
      findPositions(sources, rows.positions, &tokenPositions)
      if tokenPositions.count == 0 { continue }
      let first = tokenPositions.start[0] >> 32
      let last = tokenPositions.start[tokenPositions.count - 1] >> 32
      if !keepingPositions, first == last, first <= Frequencies.maximumColumn,
        tokenPositions.count <= Frequencies.maximumFrequency
      {
        result.append(
          row, UInt32(first) << 16 | UInt32(tokenPositions.count), UnsafeBufferPointer(start: nil, count: 0))
        continue
      }
      writer.removeAll()
      for tokenPosition in tokenPositions.elements { writer.append(TermPosition(tokenPosition)) }
      result.append(row, result.frequencies(writer.frequencies), writer.bytes.elements)
    }
    return Postings(result)
  }

  /// Appends the positions of the phrase in a document.
  @inline(__always)
  private func findPositions(
    _ sources: UnsafePointer<PositionSource>, _ positions: UnsafePointer<Int>,
    _ tokenPositions: inout GrowableBuffer<UInt64>
  ) {
    var first = sources[0].cursor(positions[0])
    guard parts.count > 1 else { return append(&first, to: &tokenPositions) }
    // The first two words are compared in one pass because most documents with both of them do not contain the phrase.
    var second = sources[1].cursor(positions[1])
    var (one, two) = (first.next(), second.next())
    while one != PositionCursor.none, two != PositionCursor.none {
      if one &+ 1 == two {
        if isAccepted(one) { tokenPositions.append(one) }
        one = first.next()
        two = second.next()
      } else if one &+ 1 < two {
        one = first.next()
      } else {
        two = second.next()
      }
    }
    for number in 2..<max(2, parts.count) {
      if tokenPositions.count == 0 { return }
      retain(&tokenPositions, followedAt: UInt64(number), by: sources[number].cursor(positions[number]))
    }
  }

  private func append(_ cursor: inout PositionCursor, to tokenPositions: inout GrowableBuffer<UInt64>) {
    var tokenPosition = cursor.next()
    while tokenPosition != PositionCursor.none {
      if isAccepted(tokenPosition) { tokenPositions.append(tokenPosition) }
      tokenPosition = cursor.next()
    }
  }

  /// Returns whether the phrase may begin at a position.
  @inline(__always)
  private func isAccepted(_ tokenPosition: UInt64) -> Bool {
    if isInitial, tokenPosition & 0xFFFF_FFFF != 0 { return false }
    guard let isWanted else { return true }
    return isWanted[Int(tokenPosition >> 32)]
  }

  /// Keeps the positions that are followed by a position of the list at this distance.
  private func retain(
    _ tokenPositions: inout GrowableBuffer<UInt64>, followedAt offset: UInt64, by list: PositionCursor
  ) {
    var list = list
    var tokenPosition = list.next()
    var kept = 0
    for number in 0..<tokenPositions.count {
      let wanted = tokenPositions.start[number] + offset
      while tokenPosition < wanted { tokenPosition = list.next() }
      if tokenPosition == wanted {
        tokenPositions.start[kept] = tokenPositions.start[number]
        kept += 1
      }
    }
    tokenPositions.truncate(to: kept)
  }
}

extension TermPosition {
  /// Creates a position from a number: the column in the upper 32 bits, the position in the lower. Numbers have the
  /// same order as positions.
  @inline(__always)
  init(_ number: UInt64) { self.init(column: Int(number >> 32), position: Int(number & 0xFFFF_FFFF)) }
}
