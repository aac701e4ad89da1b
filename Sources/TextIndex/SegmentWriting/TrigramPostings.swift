/// The postings of new documents for a table of trigrams (`detail=none`): the doclist of each trigram, in the form in
/// which ``LeafWriter`` stores it.
///
/// A doclist is found by the value of its trigram, without hashing, and the trigrams are always in order. The last
/// bytes of each doclist are next to its state, so most postings change a single cache line.
///
/// Documents must be added and removed in row order, a removal before the new document of its row.
package final class TrigramPostings {
  /// The state of a doclist, which ``tailSize`` bytes of the doclist follow.
  private struct Head {
    /// The doclist without its tail; nil if it is empty.
    var doclist: UnsafeMutablePointer<UInt8>?
    var lastRow: Int64
    /// The number of bytes at ``doclist``.
    var count: UInt32
    var sizeClass: UInt8
    var tailCount: UInt8
    var marks: UInt8

    /// The doclist has a row.
    static let isUsed: UInt8 = 1
    /// The last row is removed from the doclists of older segments.
    static let isRemoval: UInt8 = 2
    /// The last row has a posting.
    static let hasPosting: UInt8 = 4
  }

  /// A doclist with its trigram.
  package struct Doclist {
    package let trigram: UInt32
    /// Its bytes, which are valid as long as the postings.
    package let bytes: UnsafeMutablePointer<UInt8>
    package let count: UInt32
  }

  private typealias Slot = UnsafeMutableRawPointer

  private static let slotSize = 32
  private static let tailOffset = 24
  private static let tailSize = slotSize - tailOffset
  /// The binary logarithm of the number of consecutive trigrams whose slots are allocated together.
  private static let groupBits: UInt32 = 5
  private static let groupCount = 1 << (24 - Int(groupBits))
  private static let groupSizeClass = 10
  /// The number of postings that are added together.
  private static let batchCount = 16

  private var arena = BlockArena()
  /// The slots of each group of trigrams; nil if no document contains any of them.
  private let groups: UnsafeMutablePointer<Slot?>
  /// The slots of the postings that are added together.
  private let batch: UnsafeMutablePointer<Slot>
  /// The sum of values that were read in advance, so that reading them is not optimized away.
  private var prefetched: Int64 = 0

  /// Creates an empty table.
  package init() {
    groups = .allocate(capacity: TrigramPostings.groupCount)
    groups.initialize(repeating: nil, count: TrigramPostings.groupCount)
    batch = .allocate(capacity: TrigramPostings.batchCount)
  }

  deinit {
    groups.deallocate()
    batch.deallocate()
  }

  /// The memory that the postings use, in bytes.
  package var size: Int { arena.allocatedSize + TrigramPostings.groupCount * MemoryLayout<Slot?>.stride }

  /// Adds postings.
  ///
  /// - Parameter trigrams: trigrams of three bytes each.
  package func add(_ trigrams: UnsafeRawBufferPointer, row: Int64) {
    record(trigrams, row, Head.isUsed | Head.hasPosting)
  }

  /// Removes a row from the doclists of trigrams in older segments.
  ///
  /// - Parameter trigrams: trigrams of three bytes each.
  func remove(_ trigrams: UnsafeRawBufferPointer, row: Int64) { record(trigrams, row, Head.isUsed | Head.isRemoval) }

  /// Calls `body` with each doclist, in byte order of the trigrams. Nothing may be added afterwards.
  package func forEachDoclist(_ body: (Doclist) throws -> Void) rethrows {
    let length = 1 << TrigramPostings.groupBits
    for group in 0..<TrigramPostings.groupCount {
      guard let slots = groups[group] else { continue }
      for number in 0..<length {
        let slot = slots + number * TrigramPostings.slotSize
        let head = TrigramPostings.head(slot)
        guard head.pointee.marks & Head.isUsed != 0 else { continue }
        endRow(slot)
        let trigram = UInt32(truncatingIfNeeded: group * length + number)
        if let bytes = head.pointee.doclist {
          flushTail(slot)
          try body(Doclist(trigram: trigram, bytes: head.pointee.doclist ?? bytes, count: head.pointee.count))
        } else {
          let count = UInt32(head.pointee.tailCount)
          try body(Doclist(trigram: trigram, bytes: TrigramPostings.tail(slot), count: count))
        }
      }
    }
  }

  // MARK: - Slots

  private static func head(_ slot: Slot) -> UnsafeMutablePointer<Head> { slot.assumingMemoryBound(to: Head.self) }

  private static func tail(_ slot: Slot) -> UnsafeMutablePointer<UInt8> {
    (slot + tailOffset).assumingMemoryBound(to: UInt8.self)
  }

  private func record(_ trigrams: UnsafeRawBufferPointer, _ row: Int64, _ marks: UInt8) {
    var position = 0
    let end = trigrams.count - 2
    while position < end {
      // The processor waits for the memory of several slots at the same time, because the reads do not depend on each
      // other.
      var count = 0
      while position < end, count < TrigramPostings.batchCount {
        (batch + count).initialize(to: slot(of: trigrams, position))
        position += 3
        count += 1
      }
      var sum: Int64 = 0
      for number in 0..<count { sum &+= TrigramPostings.head(batch[number]).pointee.lastRow }
      prefetched = sum
      for number in 0..<count {
        let head = TrigramPostings.head(batch[number])
        if head.pointee.lastRow != row || head.pointee.marks == 0 { beginRow(batch[number], row) }
        head.pointee.marks |= marks
      }
    }
  }

  /// Returns the slot of the trigram at a position.
  @inline(__always)
  private func slot(of trigrams: UnsafeRawBufferPointer, _ position: Int) -> Slot {
    let (high, middle, low) = (trigrams[position], trigrams[position + 1], trigrams[position + 2])
    let trigram = UInt32(high) << 16 | UInt32(middle) << 8 | UInt32(low)
    let group = Int(trigram >> TrigramPostings.groupBits)
    return (groups[group] ?? addGroup(group))
      + Int(trigram & (1 << TrigramPostings.groupBits - 1)) * TrigramPostings.slotSize
  }

  @inline(never)
  private func addGroup(_ group: Int) -> Slot {
    let size = 1 << TrigramPostings.groupSizeClass
    let slots = UnsafeMutableRawPointer(arena.allocate(TrigramPostings.groupSizeClass))
    for offset in stride(from: 0, to: size, by: TrigramPostings.slotSize) {
      (slots + offset).initializeMemory(
        as: Head.self,
        to: Head(doclist: nil, lastRow: 0, count: 0, sizeClass: 0, tailCount: 0, marks: 0))
      (slots + offset + TrigramPostings.tailOffset).initializeMemory(
        as: UInt8.self, repeating: 0, count: TrigramPostings.tailSize)
    }
    groups[group] = slots
    return slots
  }

  // MARK: - Doclists

  @inline(__always)
  private func beginRow(_ slot: Slot, _ row: Int64) {
    let head = TrigramPostings.head(slot)
    if head.pointee.marks & Head.isRemoval != 0 { endRow(slot) }
    let delta = UInt64(bitPattern: row) &- UInt64(bitPattern: head.pointee.lastRow)
    head.pointee.lastRow = row
    head.pointee.marks = 0
    if delta < 0x80, Int(head.pointee.tailCount) < TrigramPostings.tailSize {
      TrigramPostings.tail(slot)[Int(head.pointee.tailCount)] = UInt8(truncatingIfNeeded: delta)
      head.pointee.tailCount += 1
    } else {
      append(delta, slot)
    }
  }

  @inline(never)
  private func append(_ delta: UInt64, _ slot: Slot) {
    let head = TrigramPostings.head(slot)
    // A varint of nine bytes does not fit into the tail.
    guard delta < 1 << 49 else {
      flushTail(slot)
      reserve(9, slot)
      if let doclist = head.pointee.doclist {
        let length = (doclist + Int(head.pointee.count)).writeVarint(delta)
        head.pointee.count += UInt32(truncatingIfNeeded: length)
      }
      return
    }
    let length = delta < 0x80 ? 1 : delta < 0x4000 ? 2 : (64 - delta.leadingZeroBitCount + 6) / 7
    if Int(head.pointee.tailCount) + length > TrigramPostings.tailSize { flushTail(slot) }
    _ = (TrigramPostings.tail(slot) + Int(head.pointee.tailCount)).writeVarint(delta)
    head.pointee.tailCount += UInt8(truncatingIfNeeded: length)
  }

  /// Marks a removal after the last row: with a byte 0, and another one if the row also has a new posting.
  private func endRow(_ slot: Slot) {
    let head = TrigramPostings.head(slot)
    guard head.pointee.marks & Head.isRemoval != 0 else { return }
    append(0, slot)
    if head.pointee.marks & Head.hasPosting != 0 { append(0, slot) }
  }

  private func flushTail(_ slot: Slot) {
    let head = TrigramPostings.head(slot)
    reserve(TrigramPostings.tailSize, slot)
    guard let doclist = head.pointee.doclist else { return }
    UnsafeMutableRawPointer(doclist + Int(head.pointee.count))
      .copyMemory(from: slot + TrigramPostings.tailOffset, byteCount: TrigramPostings.tailSize)
    head.pointee.count += UInt32(head.pointee.tailCount)
    head.pointee.tailCount = 0
  }

  /// Makes space for bytes at the end of the doclist.
  private func reserve(_ space: Int, _ slot: Slot) {
    let head = TrigramPostings.head(slot)
    guard let old = head.pointee.doclist else {
      head.pointee.sizeClass = UInt8(BlockArena.smallestClass)
      head.pointee.doclist = arena.allocate(BlockArena.smallestClass)
      return
    }
    let sizeClass = Int(head.pointee.sizeClass)
    guard Int(head.pointee.count) + space > 1 << sizeClass else { return }
    let block = arena.allocate(sizeClass + 1)
    UnsafeMutableRawPointer(block).copyMemory(from: old, byteCount: Int(head.pointee.count))
    arena.release(old, sizeClass)
    head.pointee.doclist = block
    head.pointee.sizeClass += 1
  }
}

@available(*, unavailable)
extension TrigramPostings: Sendable {}
