/// The documents that hold a term, or a phrase: their rows in order, how often it occurs in each column of each, and, if
/// they were asked for, the positions.
///
/// Decoded from FTS5's doclists once and kept as flat memory: what a loop needs of a hit is two numbers side by side.
///
/// `@unchecked Sendable`: it needs no lock, since nothing changes it once it is made.
final class Postings: @unchecked Sendable {
  /// How many documents.
  let count: Int
  /// Their rows, ascending.
  let rows: UnsafePointer<UInt32>
  /// How often the term occurs in each, see ``Frequencies``.
  let frequencies: UnsafePointer<UInt32>
  /// What does not fit into a number of ``frequencies``.
  let overflow: UnsafePointer<UInt32>
  /// Where the positions of each begin in ``positionBytes``; nil where they were not asked for.
  let poslistOffsets: UnsafePointer<UInt32>?
  /// Poslists of FTS5, each after its length in bytes as a varint.
  let positionBytes: UnsafePointer<UInt8>
  let positionByteCount: Int
  /// The size in bytes.
  let size: Int

  private let memory: PostingsStorage

  init(_ memory: consuming PostingsStorage) {
    count = memory.rows.count
    rows = UnsafePointer(memory.rows.start)
    frequencies = UnsafePointer(memory.frequencies.start)
    overflow = UnsafePointer(memory.overflow.start)
    poslistOffsets = memory.keepsPositions ? UnsafePointer(memory.poslistOffsets.start) : nil
    positionBytes = UnsafePointer(memory.positions.start)
    positionByteCount = memory.positions.count
    size = memory.size + MemoryLayout<PostingsStorage>.size
    self.memory = memory
  }

  /// A copy of the rows.
  var rowList: [UInt32] { Array(UnsafeBufferPointer(start: rows, count: count)) }

  /// The row of the last posting; -1 without any.
  var lastRow: Int { count == 0 ? -1 : Int(rows[count - 1]) }

  /// The poslist of a posting, without its length. Only where ``poslistOffsets`` is there.
  @inline(__always)
  func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard let poslistOffsets else { return UnsafeBufferPointer(start: nil, count: 0) }
    return Postings.poslist(at: positionBytes + Int(poslistOffsets[number]))
  }

  /// The poslist after its length.
  @inline(__always)
  static func poslist(at address: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = address
    var length = 0
    while start[0] >= 0x80 {
      length = length << 7 | Int(start[0] & 0x7F)
      start += 1
    }
    length = length << 7 | Int(start[0])
    return UnsafeBufferPointer(start: start + 1, count: length)
  }
}

/// How often a term occurs in the columns of a document, in 32 bits if it occurs in one of them: the column above 16
/// bits of the frequency. Otherwise the high bit and the offset in `overflow` of the number of columns, and after
/// it each column and its frequency.
enum Frequencies {
  static let overflowFlag: UInt32 = 0x8000_0000
  static let maximumColumn = 0x7FFF
  static let maximumFrequency = 0xFFFF

  /// Calls `body` with each column and frequency.
  @inline(__always)
  static func forEach(_ code: UInt32, _ overflow: UnsafePointer<UInt32>, _ body: (Int, UInt32) -> Void) {
    guard code & overflowFlag != 0 else { return body(Int(code >> 16), code & 0xFFFF) }
    let overflowOffset = Int(code & ~overflowFlag)
    for number in 0..<Int(overflow[overflowOffset]) {
      body(Int(overflow[overflowOffset + 1 + 2 * number]), overflow[overflowOffset + 2 + 2 * number])
    }
  }
}

/// The memory of postings while they are made.
struct PostingsStorage: ~Copyable {
  var rows = GrowableBuffer<UInt32>()
  var frequencies = GrowableBuffer<UInt32>()
  var overflow = GrowableBuffer<UInt32>()
  var poslistOffsets = GrowableBuffer<UInt32>()
  var positions = GrowableBuffer<UInt8>()
  let keepsPositions: Bool

  init(keepingPositions: Bool) { keepsPositions = keepingPositions }

  mutating func removeAll() {
    rows.removeAll()
    frequencies.removeAll()
    overflow.removeAll()
    poslistOffsets.removeAll()
    positions.removeAll()
  }

  var size: Int {
    4 * (rows.capacity + frequencies.capacity + overflow.capacity + poslistOffsets.capacity) + positions.capacity
  }

  /// Adds a document whose poslist was checked and counted.
  @inline(__always)
  mutating func append(_ row: UInt32, _ frequency: UInt32, _ poslist: UnsafeBufferPointer<UInt8>) {
    rows.append(row)
    frequencies.append(frequency)
    if keepsPositions {
      poslistOffsets.append(UInt32(truncatingIfNeeded: positions.count))
      appendLength(poslist.count)
      positions.append(poslist)
    }
  }

  @inline(__always)
  private mutating func appendLength(_ length: Int) {
    var shift = 28
    while shift > 0 {
      if length >> shift > 0 { positions.append(UInt8(length >> shift & 0x7F) | 0x80) }
      shift -= 7
    }
    positions.append(UInt8(length & 0x7F))
  }
}

/// An array that is filled in a hot loop: no reference counts, no checks for uniqueness.
struct GrowableBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int = 16) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    start[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress else { return }
    if count &+ elements.count > capacity { grow(to: count + elements.count) }
    (start + count).update(from: source, count: elements.count)
    count &+= elements.count
  }

  mutating func removeAll() { count = 0 }

  /// Keeps the first elements.
  mutating func truncate(to length: Int) { count = min(count, length) }

  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

  @inline(never)
  private mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    memory.update(from: start, count: count)
    start.deallocate()
    start = memory
    capacity = larger
  }
}
