/// Makes postings of what several doclists say: of one term in several segments, or of several terms taken for one.
struct PostingsAssembly: ~Copyable {
  private let memory: PostingsMemory
  private let ordinals: GrowingMemory<UInt32>
  private let columnCount: Int

  /// - Parameters:
  ///   - memory: the postings, those of older segments before those of younger ones.
  ///   - ordinals: the number of the term of each; empty for a single term.
  ///   - columnCount: of the index.
  init(_ memory: consuming PostingsMemory, ordinals: consuming GrowingMemory<UInt32>, columnCount: Int) {
    self.memory = memory
    self.ordinals = ordinals
    self.columnCount = columnCount
  }

  /// The postings: a row each, the youngest one of each term, those of several terms joined, none that are deleted.
  consuming func finish() -> Postings {
    if isFinished { return Postings(memory) }
    var result = PostingsMemory(keepingPositions: memory.keepsPositions)
    result.spill.append(memory.spill.elements)
    let rows = memory.rows.start
    var joining = PostingsJoining(termCount: ordinals.elements.max().map { Int($0) + 1 } ?? 0)
    let order = RadixSort.order(of: memory.rows.elements)
    var start = 0
    while start < order.count {
      let row = rows[Int(order.start[start])]
      var end = start + 1
      while end < order.count, rows[Int(order.start[end])] == row { end += 1 }
      let group = UnsafeBufferPointer(start: order.start + start, count: end - start)
      if ordinals.count == 0 || group.count == 1 {
        copy(Int(group[group.count - 1]), to: &result)
      } else {
        join(group, &joining, to: &result)
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

  private func copy(_ number: Int, to result: inout PostingsMemory) {
    let frequencies = memory.frequencies.start[number]
    if frequencies != 0 { result.append(memory.rows.start[number], frequencies, poslist(number)) }
  }

  /// Joins the postings that several terms have for a row. Those of younger segments stand behind, and of each term only the
  /// youngest counts.
  private func join(
    _ group: UnsafeBufferPointer<UInt32>, _ joining: inout PostingsJoining, to result: inout PostingsMemory
  ) {
    joining.beginRow()
    for number in group.reversed() where joining.isFirst(ordinals.start[Int(number)]) {
      if memory.keepsPositions {
        joining.add(PlaceCursor(poslist(Int(number)), columnCount: columnCount, memory.positions.start))
      } else {
        Frequencies.forEach(memory.frequencies.start[Int(number)], memory.spill.start) { joining.add($1, column: $0) }
      }
    }
    let row = memory.rows.start[Int(group[0])]
    if memory.keepsPositions {
      joining.writePlaces()
      if joining.hasPlaces {
        result.append(row, result.frequencies(joining.writer.frequencies), joining.writer.bytes.elements)
      }
    } else {
      let code = result.frequencies(joining.frequencies)
      if code != 0 { result.append(row, code, UnsafeBufferPointer(start: nil, count: 0)) }
    }
  }
}

extension PostingsMemory {
  /// The poslist of a posting, without its length.
  func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    Postings.poslist(at: UnsafePointer(positions.start) + Int(places.start[number]))
  }
}

extension Postings {
  /// The documents of several postings, with the positions of all. Without positions no place may be in two of them.
  static func union(_ parts: [Postings], columnCount: Int, keepingPositions: Bool = true) -> Postings {
    var memory = PostingsMemory(keepingPositions: keepingPositions)
    var ordinals = GrowingMemory<UInt32>()
    for (ordinal, part) in parts.enumerated() {
      for number in 0..<part.count {
        let frequencies = memory.adding(part.frequencies[number], spilledIn: part.spill)
        memory.append(part.rows[number], frequencies, part.poslist(number))
        ordinals.append(UInt32(ordinal))
      }
    }
    return PostingsAssembly(memory, ordinals: ordinals, columnCount: columnCount).finish()
  }

  /// The postings whose rows and frequencies fulfil a condition, without positions.
  func filtered(_ isIncluded: (UInt32, UInt32) -> Bool) -> Postings {
    if places == nil, (0..<count).allSatisfy({ isIncluded(rows[$0], frequencies[$0]) }) { return self }
    var memory = PostingsMemory(keepingPositions: false)
    for number in 0..<count where isIncluded(rows[number], frequencies[number]) {
      let frequencies = memory.adding(frequencies[number], spilledIn: spill)
      memory.append(rows[number], frequencies, UnsafeBufferPointer(start: nil, count: 0))
    }
    return Postings(memory)
  }

  /// The documents that hold the term in some columns, with what stands in these.
  func filtered(columns: Set<Int>, columnCount: Int) throws -> Postings {
    let wanted = (0..<columnCount).map { columns.contains($0) }
    var memory = PostingsMemory(keepingPositions: places != nil)
    var writer = PoslistWriter()
    for number in 0..<count {
      var kept: [(column: Int, count: UInt32)] = []
      let code = frequencies[number]
      if code & Frequencies.spilled == 0 {
        guard wanted[Int(code >> 16)] else { continue }
        memory.append(rows[number], code, poslist(number))
        continue
      }
      Frequencies.forEach(code, spill) { if wanted[$0] { kept.append(($0, $1)) } }
      guard !kept.isEmpty else { continue }
      writer.removeAll()
      if places != nil {
        var reader = PoslistReader(poslist(number))
        while let place = try reader.next(columnCount: columnCount) {
          if wanted[place.column] { writer.append(place) }
        }
      }
      memory.append(rows[number], memory.frequencies(kept), writer.bytes.elements)
    }
    return Postings(memory)
  }
}

extension PostingsMemory {
  /// The code for frequencies that stand in the spill of other postings.
  mutating func adding(_ code: UInt32, spilledIn other: UnsafePointer<UInt32>) -> UInt32 {
    guard code & Frequencies.spilled != 0 else { return code }
    let start = other + Int(code & ~Frequencies.spilled)
    let place = UInt32(spill.count)
    spill.append(UnsafeBufferPointer(start: start, count: 1 + 2 * Int(start[0])))
    return Frequencies.spilled | place
  }
}
