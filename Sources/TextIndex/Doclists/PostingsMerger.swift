/// Merges the postings of several doclists: of one term in several segments, or of several terms that count as one.
struct PostingsMerger: ~Copyable {
  private let memory: PostingsStorage
  private let ordinals: GrowableBuffer<UInt32>
  private let columnCount: Int

  /// - Parameters:
  ///   - memory: the postings, with those of older segments first.
  ///   - ordinals: the number of the term of each posting; empty for a single term.
  ///   - columnCount: the number of columns of the index.
  init(_ memory: consuming PostingsStorage, ordinals: consuming GrowableBuffer<UInt32>, columnCount: Int) {
    self.memory = memory
    self.ordinals = ordinals
    self.columnCount = columnCount
  }

  /// Returns the merged postings, one per row: only the youngest posting of each term counts, postings of several terms
  /// are merged, and deleted rows are removed.
  ///
  /// - Parameter isInterruptible: whether only some of the postings are returned if `LongCall.shouldEnd()`. The caller
  ///   calls `LongCall.check()`.
  consuming func finish(isInterruptible: Bool = false) -> Postings {
    if isFinished { return Postings(memory) }
    var result = PostingsStorage(keepingPositions: memory.keepsPositions)
    result.overflow.append(memory.overflow.elements)
    let rows = memory.rows.start
    var merger = RowPostingsMerger(termCount: ordinals.elements.max().map { Int($0) + 1 } ?? 0)
    let order = RadixSort.order(of: memory.rows.elements)
    var start = 0
    var check = RowCheck()
    while start < order.count {
      if isInterruptible, check.shouldEnd() { break }
      let row = rows[Int(order.start[start])]
      var end = start + 1
      while end < order.count, rows[Int(order.start[end])] == row { end += 1 }
      let group = UnsafeBufferPointer(start: order.start + start, count: end - start)
      if ordinals.count == 0 || group.count == 1 {
        copy(Int(group[group.count - 1]), to: &result)
      } else {
        merge(group, &merger, to: &result)
      }
      start = end
    }
    return Postings(result)
  }

  private var isFinished: Bool {
    let rows = memory.rows.start
    let frequencies = memory.frequencies.start
    for number in 0..<memory.rows.count {
      if frequencies[number] == 0 || number > 0 && rows[number] <= rows[number - 1] { return false }
    }
    return true
  }

  private func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard memory.keepsPositions else { return UnsafeBufferPointer(start: nil, count: 0) }
    return memory.poslist(number)
  }

  private func copy(_ number: Int, to result: inout PostingsStorage) {
    let frequencies = memory.frequencies.start[number]
    if frequencies != 0 { result.append(memory.rows.start[number], frequencies, poslist(number)) }
  }

  /// Merges the postings of several terms for a row. They are in order of age, oldest first. Only the youngest posting
  /// of each term counts.
  private func merge(
    _ group: UnsafeBufferPointer<UInt32>, _ merger: inout RowPostingsMerger, to result: inout PostingsStorage
  ) {
    merger.beginRow()
    for number in group.reversed() where merger.isFirst(ordinals.start[Int(number)]) {
      if memory.keepsPositions {
        merger.add(PositionCursor(poslist(Int(number)), columnCount: columnCount, memory.positions.start))
      } else {
        Frequencies.forEach(memory.frequencies.start[Int(number)], memory.overflow.start) {
          merger.add($1, column: $0)
        }
      }
    }
    let row = memory.rows.start[Int(group[0])]
    if memory.keepsPositions {
      merger.writePositions()
      if merger.hasTokenPositions {
        result.append(row, result.frequencies(merger.writer.frequencies), merger.writer.bytes.elements)
      }
    } else {
      let code = result.frequencies(merger.frequencies)
      if code != 0 { result.append(row, code, UnsafeBufferPointer(start: nil, count: 0)) }
    }
  }
}

extension PostingsStorage {
  /// The poslist of a posting, without its length.
  func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    Postings.poslist(at: UnsafePointer(positions.start) + Int(poslistOffsets.start[number]))
  }
}

extension Postings {
  /// Returns the union of several posting lists with their positions. If positions are not kept, no two of the lists
  /// may contain the same position.
  package static func union(_ parts: [Postings], columnCount: Int, keepingPositions: Bool = true) -> Postings {
    var memory = PostingsStorage(keepingPositions: keepingPositions)
    var ordinals = GrowableBuffer<UInt32>()
    for (ordinal, part) in parts.enumerated() {
      for number in 0..<part.count {
        let frequencies = memory.adding(part.frequencies[number], overflowIn: part.overflow)
        memory.append(part.rows[number], frequencies, part.poslist(number))
        ordinals.append(UInt32(ordinal))
      }
    }
    return PostingsMerger(memory, ordinals: ordinals, columnCount: columnCount).finish()
  }

  /// Returns the postings whose row and frequency satisfy a predicate, without positions.
  func filtered(_ isIncluded: (UInt32, UInt32) -> Bool) -> Postings {
    if poslistOffsets == nil, (0..<count).allSatisfy({ isIncluded(rows[$0], frequencies[$0]) }) { return self }
    var memory = PostingsStorage(keepingPositions: false)
    for number in 0..<count where isIncluded(rows[number], frequencies[number]) {
      let frequencies = memory.adding(frequencies[number], overflowIn: overflow)
      memory.append(rows[number], frequencies, UnsafeBufferPointer(start: nil, count: 0))
    }
    return Postings(memory)
  }

  /// Returns the documents that contain the term in some columns, with the occurrences in those columns.
  func filtered(columns: Set<Int>, columnCount: Int) throws -> Postings {
    let wanted = (0..<columnCount).map { columns.contains($0) }
    var memory = PostingsStorage(keepingPositions: poslistOffsets != nil)
    var writer = PoslistWriter()
    for number in 0..<count {
      var kept: [(column: Int, count: UInt32)] = []
      let code = frequencies[number]
      if code & Frequencies.overflowFlag == 0 {
        guard wanted[Int(code >> 16)] else { continue }
        memory.append(rows[number], code, poslist(number))
        continue
      }
      Frequencies.forEach(code, overflow) { if wanted[$0] { kept.append(($0, $1)) } }
      guard !kept.isEmpty else { continue }
      writer.removeAll()
      if poslistOffsets != nil {
        var reader = PoslistReader(poslist(number))
        while let tokenPosition = try reader.next(columnCount: columnCount) {
          if wanted[tokenPosition.column] { writer.append(tokenPosition) }
        }
      }
      memory.append(rows[number], memory.frequencies(kept), writer.bytes.elements)
    }
    return Postings(memory)
  }
}

extension PostingsStorage {
  /// Copies frequencies from other postings and returns their code in these postings.
  mutating func adding(_ code: UInt32, overflowIn other: UnsafePointer<UInt32>) -> UInt32 {
    guard code & Frequencies.overflowFlag != 0 else { return code }
    let start = other + Int(code & ~Frequencies.overflowFlag)
    let offset = UInt32(overflow.count)
    overflow.append(UnsafeBufferPointer(start: start, count: 1 + 2 * Int(start[0])))
    return Frequencies.overflowFlag | offset
  }
}
