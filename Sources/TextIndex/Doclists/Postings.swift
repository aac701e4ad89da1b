/// The posting list of a term or phrase: rows in ascending order, frequencies by column and, if requested, positions.
///
/// Decoded once from FTS5's doclists into flat memory, so that inner loops read plain numbers.
///
/// `@unchecked Sendable`: no lock is needed because the object is immutable.
final class Postings: @unchecked Sendable {
  /// The number of documents.
  let count: Int
  /// The rows of the documents, ascending.
  let rows: UnsafePointer<UInt32>
  /// The frequency of the term in each document, see ``Frequencies``.
  let frequencies: UnsafePointer<UInt32>
  /// The frequencies that do not fit into a number of ``frequencies``.
  let overflow: UnsafePointer<UInt32>
  /// The offset of each poslist in ``positionBytes``; nil if positions were not requested.
  let poslistOffsets: UnsafePointer<UInt32>?
  /// FTS5 poslists, each preceded by its length in bytes as a varint.
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

  /// The row of the last posting; -1 if there is none.
  var lastRow: Int { count == 0 ? -1 : Int(rows[count - 1]) }

  /// Returns the poslist of a posting, without its length. Requires ``poslistOffsets``.
  @inline(__always)
  func poslist(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard let poslistOffsets else { return UnsafeBufferPointer(start: nil, count: 0) }
    return Postings.poslist(at: positionBytes + Int(poslistOffsets[number]))
  }

  /// Returns the poslist whose length is stored at an address.
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

/// Encodes the frequencies of a term in the columns of a document. If the term occurs in one column, the code contains
/// the column in the high and the frequency in the low 16 bits. Otherwise it contains the high bit and an offset in
/// `overflow`, which has the number of columns followed by each column and its frequency.
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

/// A builder of the memory of postings.
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

/// A growable array for hot loops, without reference counting or uniqueness checks.
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

  /// Removes all elements after the first ones.
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
