import Synchronization
import TextIndex

/// The lengths of documents in memory, in runs of 512 rows that are allocated when they contain a document.
///
/// A state of an index is created without lengths, because counting matches does not need them. They are filled in before
/// the first postings are returned, and never changed afterwards.
///
/// `@unchecked Sendable`: the memory is written while the lock of ``isFilled`` is held. A thread reads lengths only after
/// it has taken the lock in ``fill(_:)``.
final class LengthRuns: DocumentLengthSource, @unchecked Sendable {
  private let columnCount: Int
  private let runCount: Int
  private let runs: UnsafeMutablePointer<LengthRunMemory>
  private let zeros: UnsafeMutablePointer<UInt32>
  /// The memory of each run, for all columns.
  private var owned: [Int: UnsafeMutablePointer<UInt32>] = [:]
  /// Lengths whose runs this object shares.
  private var base: LengthRuns?
  private let isFilled = Mutex(false)

  /// Creates lengths of 0.
  ///
  /// - Parameter rowLimit: one more than the highest row.
  init(columnCount: Int, rowLimit: Int) {
    self.columnCount = columnCount
    runCount = (max(1, rowLimit) - 1) >> LengthColumn.runBits + 1
    zeros = .allocate(capacity: LengthColumn.runLength)
    zeros.initialize(repeating: 0, count: LengthColumn.runLength)
    runs = .allocate(capacity: runCount * columnCount)
    runs.initialize(repeating: LengthRunMemory(zeros), count: runCount * columnCount)
  }

  deinit {
    for memory in owned.values { memory.deallocate() }
    zeros.deallocate()
    runs.deallocate()
  }

  var rowLimit: Int { runCount << LengthColumn.runBits }

  func column(_ column: Int) -> LengthColumn {
    LengthColumn(runs: UnsafePointer(runs + column * runCount), runCount: runCount)
  }

  /// Calls `body` with an object that sets lengths, unless this was done before.
  func fill(_ body: (Filler) throws -> Void) rethrows {
    try isFilled.withLock { isFilled in
      if isFilled { return }
      try body(Filler(lengths: self))
      isFilled = true
    }
  }

  /// Sets lengths.
  struct Filler {
    fileprivate let lengths: LengthRuns

    /// Shares the runs of other lengths, which must have been filled.
    func share(_ base: LengthRuns) { lengths.share(base) }

    /// Sets the lengths of documents.
    func set(_ documents: DocumentLengthRows) {
      for (number, row) in documents.rows.enumerated() { lengths.set(row, documents.lengths(number)) }
    }

    /// Sets the lengths of the documents of a block.
    func set(_ block: borrowing LengthBlockDecoder) { lengths.set(block) }

    /// Sets the lengths of a document.
    func set(_ row: UInt32, _ columns: [UInt32]) { lengths.set(row, columns[...]) }
  }

  private func share(_ base: LengthRuns) {
    self.base = base
    for column in 0..<min(columnCount, base.columnCount) {
      (runs + column * runCount).update(
        from: base.runs + column * base.runCount, count: min(runCount, base.runCount))
    }
  }

  private func set(_ row: UInt32, _ columns: ArraySlice<UInt32>) {
    let run = Int(row) >> LengthColumn.runBits
    guard run < runCount else { return }
    let memory = owned[run] ?? allocate(run)
    let offset = Int(row) & (LengthColumn.runLength - 1)
    for (column, length) in columns.prefix(columnCount).enumerated() {
      memory[column << LengthColumn.runBits + offset] = length
    }
  }

  private func set(_ block: borrowing LengthBlockDecoder) {
    let (rows, count, bits) = (block.rows, block.count, LengthColumn.runBits)
    let mask = 1 << bits - 1
    var start = 0
    while start < count {
      let run = Int(rows[start]) >> bits
      guard run < runCount else { return }
      var end = start + 1
      while end < count, Int(rows[end]) >> bits == run { end += 1 }
      let memory = owned[run] ?? allocate(run)
      for column in 0..<min(columnCount, block.columnCount) {
        let (target, source) = (memory + column << bits, block.lengths(column))
        for number in start..<end { target[Int(rows[number]) & mask] = source[number] }
      }
      start = end
    }
  }

  /// Copies a run to memory of its own.
  private func allocate(_ run: Int) -> UnsafeMutablePointer<UInt32> {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: columnCount << LengthColumn.runBits)
    for column in 0..<columnCount {
      let copy = memory + column << LengthColumn.runBits
      let shared = runs[column * runCount + run]
      for position in 0..<LengthColumn.runLength { (copy + position).initialize(to: shared[position]) }
      runs[column * runCount + run] = LengthRunMemory(copy)
    }
    owned[run] = memory
    return memory
  }
}
