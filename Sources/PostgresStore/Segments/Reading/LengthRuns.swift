import Synchronization
import TextIndex

/// The lengths of documents in memory, in runs of 512 rows that are allocated when they contain a document. A run has
/// the width in bytes of its largest length: one, two or four.
///
/// A state of an index is created without lengths, because counting matches does not need them. They are filled in
/// before the first postings are returned, and never changed afterwards.
///
/// `@unchecked Sendable`: the memory is written while the lock of ``isFilled`` is held. A thread reads lengths only
/// after it has taken the lock in ``areFilled`` or ``fill(_:)``.
final class LengthRuns: DocumentLengthSource, @unchecked Sendable {
  private let columnCount: Int
  private let runCount: Int
  private let runs: UnsafeMutablePointer<LengthRunMemory>
  private let zeros: UnsafeMutablePointer<UInt32>
  /// The runs in memory of their own.
  private var owned: [Int: OwnedRun] = [:]
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
    for run in owned.values { run.memory.deallocate() }
    zeros.deallocate()
    runs.deallocate()
  }

  var rowLimit: Int { runCount << LengthColumn.runBits }

  func column(_ column: Int) -> LengthColumn {
    LengthColumn(runs: UnsafePointer(runs + column * runCount), runCount: runCount)
  }

  /// Whether lengths were set.
  var areFilled: Bool { isFilled.withLock { $0 } }

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
    let columns = columns.prefix(columnCount)
    let target = ownedRun(run, fitting: columns.max() ?? 0)
    let offset = Int(row) & (LengthColumn.runLength - 1)
    for (column, length) in columns.enumerated() { target.set(length, column, offset) }
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
      let columns = 0..<min(columnCount, block.columnCount)
      var largest: UInt32 = 0
      for column in columns {
        let source = block.lengths(column)
        for number in start..<end { largest = max(largest, source[number]) }
      }
      let target = ownedRun(run, fitting: largest)
      for column in columns {
        let source = block.lengths(column)
        for number in start..<end { target.set(source[number], column, Int(rows[number]) & mask) }
      }
      start = end
    }
  }

  /// Returns the memory of a run to which a length can be written. The run is copied if it has none, or if the length
  /// needs more bytes than the others.
  private func ownedRun(_ run: Int, fitting length: UInt32) -> OwnedRun {
    var widthBits = OwnedRun.widthBits(of: length)
    let current = owned[run]
    if let current, current.widthBits >= widthBits { return current }
    // A run consists of zeros if it was not copied from older lengths and nothing was stored in it.
    let isZero = current == nil && base == nil
    if !isZero {
      for column in 0..<columnCount {
        let lengths = runs[column * runCount + run]
        let largest = (0..<LengthColumn.runLength).reduce(UInt32(0)) { max($0, lengths[$1]) }
        widthBits = max(widthBits, OwnedRun.widthBits(of: largest))
      }
    }
    let copy = OwnedRun(columnCount: columnCount, widthBits: widthBits)
    for column in 0..<columnCount {
      if !isZero {
        let lengths = runs[column * runCount + run]
        for position in 0..<LengthColumn.runLength { copy.set(lengths[position], column, position) }
      }
      runs[column * runCount + run] = copy.lengths(column)
    }
    current?.memory.deallocate()
    owned[run] = copy
    return copy
  }
}

/// Memory for a run of lengths of all columns.
private struct OwnedRun {
  let memory: UnsafeMutableRawPointer
  /// The base-2 logarithm of the number of bytes of a length: 0, 1 or 2.
  let widthBits: Int

  /// Allocates memory for lengths, which are 0.
  init(columnCount: Int, widthBits: Int) {
    let size = columnCount << (LengthColumn.runBits + widthBits) + LengthRunMemory.padding
    memory = .allocate(byteCount: size, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    self.widthBits = widthBits
  }

  static func widthBits(of length: UInt32) -> Int {
    length > UInt32(UInt16.max) ? 2 : length > UInt32(UInt8.max) ? 1 : 0
  }

  func lengths(_ column: Int) -> LengthRunMemory {
    LengthRunMemory(UnsafeRawPointer(memory) + column << (LengthColumn.runBits + widthBits), widthBits: widthBits)
  }

  @inline(__always)
  func set(_ length: UInt32, _ column: Int, _ position: Int) {
    let offset = (column << LengthColumn.runBits + position) << widthBits
    switch widthBits {
    case 0: memory.storeBytes(of: UInt8(truncatingIfNeeded: length), toByteOffset: offset, as: UInt8.self)
    case 1:
      memory.storeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian, toByteOffset: offset, as: UInt16.self)
    default: memory.storeBytes(of: length.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}
