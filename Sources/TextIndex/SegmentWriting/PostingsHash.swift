import Foundation

/// The postings of new documents in memory: a hash table from terms to doclists, in the form in which ``LeafWriter``
/// stores them. The doclists of trigrams are in ``TrigramPostings``.
///
/// Documents must be added and removed in row order, a removal before the new document of its row, and the terms of a
/// document in the order of columns and positions.
package final class PostingsHash {
  /// The data that a doclist stores for each row.
  package enum Detail: Sendable {
    /// The columns and positions of the term.
    case full
    /// No data. All terms are trigrams.
    case none
  }

  /// A term and its doclist.
  struct Entry: BitwiseCopyable {
    /// The first eight bytes of the term; see ``PostingsHash/beginning(of:)``. A lookup of a short term reads only the
    /// entry.
    fileprivate(set) var beginning: UInt64
    fileprivate(set) var term: UnsafeMutablePointer<UInt8>
    fileprivate(set) var doclist: UnsafeMutablePointer<UInt8>
    fileprivate var lastRow: Int64
    /// The number of bytes of the doclist.
    fileprivate(set) var count: UInt32
    /// The offset of the size of the last poslist.
    fileprivate var sizeOffset: UInt32
    fileprivate var lastPosition: UInt32
    fileprivate var lastColumn: UInt16
    fileprivate(set) var termLength: UInt8
    fileprivate var sizeClass: UInt8
    /// Whether the last row is removed from the doclists of older segments.
    fileprivate var isRemoval: Bool
  }

  /// A posting or removal of the current document that is not in the table yet.
  private struct Pending {
    let term: UnsafeRawBufferPointer
    let position: TermPosition
    let beginning: UInt64
    let hash: UInt32
    /// Whether the row is removed from the doclist in older segments; then the position is ignored.
    let isRemoval: Bool
    /// The number of the first entry to compare with.
    var likelyEntry = 0
  }

  let detail: Detail
  /// The memory of the terms and doclists. A pointer, because changing a property in place requires an exclusivity
  /// check for each term.
  private let arena: UnsafeMutablePointer<BlockArena>
  private var entries: LargeMemory<Entry>
  private(set) var termCount = 0
  /// The numbers of entries plus 1, with the hashes of their terms in the upper half; 0 in free slots. The size is a
  /// power of two.
  private var slots: LargeMemory<UInt64>
  /// The number of low bits of a hash that do not select a slot: 32 minus the binary logarithm of the number of slots.
  private var slotShift = 32 - PostingsHash.smallestSlotBits
  /// See ``enqueue(_:row:column:position:)``.
  private let pending: UnsafeMutablePointer<Pending>
  private var pendingCount = 0
  /// The bytes that were read in advance, so that reading them is not optimized away.
  private var prefetched: UInt8 = 0
  /// The postings of trigrams; nil if the doclists have positions.
  private var trigrams: TrigramPostings?

  /// The maximum number of bytes that one posting adds: a rowid, a size, a column and a position.
  private static let largestPosting = 10 + 5 + 4 + 5
  /// The number of bytes that must be free before a posting is added. The size of a poslist may need four bytes more
  /// than the one that is reserved for it.
  private static let reserve = largestPosting + 4
  /// The binary logarithm of the number of slots in an empty table.
  private static let smallestSlotBits: UInt32 = 13
  /// The number of postings that are added together.
  private static let pendingLimit = 16

  package init(_ detail: Detail) {
    self.detail = detail
    arena = .allocate(capacity: 1)
    arena.initialize(to: BlockArena())
    entries = LargeMemory(count: 1 << 12)
    slots = LargeMemory(count: 1 << Int(PostingsHash.smallestSlotBits))
    slots.start.initialize(repeating: 0, count: slots.count)
    pending = .allocate(capacity: PostingsHash.pendingLimit)
    trigrams = detail == .none ? TrigramPostings() : nil
  }

  deinit {
    entries.deallocate()
    slots.deallocate()
    pending.deallocate()
    arena.deinitialize(count: 1)
    arena.deallocate()
  }

  /// Removes all terms, and keeps the memory for others.
  func removeAll() {
    arena.pointee.removeAll()
    termCount = 0
    slots.start.update(repeating: 0, count: slots.count)
    trigrams = detail == .none ? TrigramPostings() : nil
  }

  /// The memory that the postings use, in bytes. Two to four slots are reserved for each term.
  package var size: Int {
    arena.pointee.usedSize + termCount * (MemoryLayout<Entry>.stride + 4 * MemoryLayout<UInt64>.stride)
      + (trigrams?.size ?? 0)
  }

  /// Adds a posting.
  ///
  /// - Parameter term: 1 to 255 bytes.
  package func add(_ term: UnsafeRawBufferPointer, row: Int64, column: Int, position: Int) {
    let beginning = PostingsHash.beginning(of: term)
    let number = entryNumber(of: term, beginning, PostingsHash.hash(term, beginning), row: row)
    add(to: number, row: row, column: column, position: position)
  }

  /// Adds a posting together with others, so that the processor waits for the memory of several entries at the same
  /// time. ``addPending(row:)`` must be called before the memory of the term becomes invalid, and before the next row.
  ///
  /// - Parameter term: 1 to 255 bytes.
  @inline(__always)
  func enqueue(_ term: UnsafeRawBufferPointer, row: Int64, column: Int, position: Int) {
    enqueue(term, TermPosition(column: column, position: position), isRemoval: false, row: row)
  }

  /// Removes a row from the doclist of a term in older segments, together with others. A term may be removed several
  /// times. See ``enqueue(_:row:column:position:)``.
  ///
  /// - Parameter term: 1 to 255 bytes.
  @inline(__always)
  func enqueueRemoval(of term: UnsafeRawBufferPointer, row: Int64) {
    enqueue(term, TermPosition(column: 0, position: 0), isRemoval: true, row: row)
  }

  @inline(__always)
  private func enqueue(_ term: UnsafeRawBufferPointer, _ position: TermPosition, isRemoval: Bool, row: Int64) {
    let beginning = PostingsHash.beginning(of: term)
    (pending + pendingCount).initialize(
      to: Pending(
        term: term, position: position, beginning: beginning, hash: PostingsHash.hash(term, beginning),
        isRemoval: isRemoval))
    pendingCount += 1
    if pendingCount == PostingsHash.pendingLimit { addPending(row: row) }
  }

  /// Adds the postings and removals that were enqueued.
  func addPending(row: Int64) {
    let count = pendingCount
    pendingCount = 0
    prefetch(count)
    for index in 0..<count {
      let posting = pending[index]
      let number = entryNumber(of: posting.term, posting.beginning, posting.hash, row: row)
      if posting.isRemoval {
        entry(number, row: row)?.pointee.isRemoval = true
      } else {
        add(to: number, row: row, column: posting.position.column, position: posting.position.position)
      }
    }
  }

  /// Reads the memory that pending postings need: first all slots, then the entries and their doclists. The reads do
  /// not depend on each other.
  @inline(never)
  private func prefetch(_ count: Int) {
    guard termCount > 0 else { return }
    for number in 0..<count {
      // Entry 0 is read for a free slot, and the entry of another term after a collision, because conditions are
      // slower.
      let value = Int(truncatingIfNeeded: slots[slot(of: pending[number].hash)] & UInt64(UInt32.max))
      pending[number].likelyEntry = max(0, value - 1)
    }
    var sum: UInt8 = 0
    for number in 0..<count {
      let entry = entries.start + pending[number].likelyEntry
      let end = entry.pointee.doclist + (Int(entry.pointee.count) - 1)
      sum &+= end.pointee
      sum &+= (entry.pointee.termLength > 8 ? entry.pointee.term : end).pointee
    }
    prefetched = sum
  }

  @inline(__always)
  private func add(to number: Int, row: Int64, column: Int, position: Int) {
    guard let entry = entry(number, row: row) else { return }
    let bytes = entry.pointee.doclist
    var count = Int(entry.pointee.count)
    if entry.pointee.lastColumn != UInt16(truncatingIfNeeded: column) {
      bytes[count] = 1
      count += 1 + (bytes + count + 1).writeVarint(UInt64(column))
      entry.pointee.lastColumn = UInt16(truncatingIfNeeded: column)
      entry.pointee.lastPosition = 0
    }
    let position = UInt32(truncatingIfNeeded: position)
    count += (bytes + count).writeVarint(UInt64(position - entry.pointee.lastPosition) + 2)
    entry.pointee.lastPosition = position
    entry.pointee.count = UInt32(truncatingIfNeeded: count)
  }

  /// Adds the postings of a document in a table without positions.
  ///
  /// - Parameter terms: the distinct terms of three bytes, concatenated.
  package func add(trigrams terms: UnsafeRawBufferPointer, row: Int64) { trigrams?.add(terms, row: row) }

  /// Removes a row from the doclists of a table without positions, in older segments.
  ///
  /// - Parameter terms: the distinct terms of three bytes, concatenated.
  package func remove(trigrams terms: UnsafeRawBufferPointer, row: Int64) { trigrams?.remove(terms, row: row) }

  /// Calls `body` with each entry, in byte order of the terms.
  func forEachEntry(_ body: (Entry) throws -> Void) rethrows {
    if let trigrams {
      return try trigrams.forEachDoclist { doclist in try body(entry(of: doclist)) }
    }
    for number in sortedNumbers() { try body(finishedEntry(number)) }
  }

  /// Returns the numbers of the entries, in byte order of the terms. Requires a table with positions.
  func sortedNumbers() -> [UInt32] {
    TermSort.sorted(UnsafeBufferPointer(start: entries.start, count: termCount)).map { $0.number }
  }

  /// Completes the doclist of an entry, and returns the entry. Must be called once, after the last posting was added.
  func finishedEntry(_ number: UInt32) -> Entry {
    endPoslist(entries.start + Int(number))
    return entries[Int(number)]
  }

  private func entry(of doclist: TrigramPostings.Doclist) -> Entry {
    let bytes = doclist.trigram.bigEndian
    let term = withUnsafeBytes(of: bytes) { arena.pointee.copy(UnsafeRawBufferPointer(rebasing: $0[1...])) }
    return Entry(
      beginning: 0, term: term, doclist: doclist.bytes, lastRow: 0, count: doclist.count, sizeOffset: 0,
      lastPosition: 0, lastColumn: 0, termLength: 3, sizeClass: 0, isRemoval: false)
  }

  // MARK: - Terms

  /// Returns an entry, whose last row is `row` afterwards, with space for another posting.
  @inline(__always)
  private func entry(_ number: Int, row: Int64) -> UnsafeMutablePointer<Entry>? {
    let entry = entries.start + number
    if Int(entry.pointee.count) + PostingsHash.reserve > 1 << Int(entry.pointee.sizeClass) { grow(entry) }
    if entry.pointee.lastRow != row { beginPoslist(entry, row) }
    return entry
  }

  /// Returns the first slot to look for a term with the given hash.
  @inline(__always)
  private func slot(of hash: UInt32) -> Int { Int(hash &>> slotShift) }

  @inline(__always)
  private func entryNumber(of term: UnsafeRawBufferPointer, _ beginning: UInt64, _ hash: UInt32, row: Int64) -> Int {
    var slot = slot(of: hash)
    while slots[slot] != 0 {
      let value = slots[slot]
      if value >> 32 == UInt64(hash) {
        let number = Int(value & UInt64(UInt32.max)) - 1
        if entries[number].beginning == beginning, PostingsHash.isTerm(term, of: entries[number]) { return number }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = UInt64(hash) << 32 | UInt64(termCount + 1)
    return addEntry(term, beginning, row: row)
  }

  @inline(never)
  private func addEntry(_ term: UnsafeRawBufferPointer, _ beginning: UInt64, row: Int64) -> Int {
    if termCount == entries.count { growEntries() }
    let number = termCount
    termCount += 1
    let doclist = arena.pointee.allocate(BlockArena.smallestClass)
    let count = doclist.writeVarint(UInt64(bitPattern: row))
    (entries.start + number).initialize(
      to: Entry(
        beginning: beginning, term: arena.pointee.copy(term), doclist: doclist, lastRow: row,
        count: UInt32(truncatingIfNeeded: count + 1), sizeOffset: UInt32(truncatingIfNeeded: count), lastPosition: 0,
        lastColumn: 0,
        termLength: UInt8(truncatingIfNeeded: term.count), sizeClass: UInt8(BlockArena.smallestClass), isRemoval: false)
    )
    if termCount > slots.count / 2 { growSlots() }
    return number
  }

  private func growEntries() {
    let larger = LargeMemory<Entry>(count: 2 * entries.count)
    larger.start.moveInitialize(from: entries.start, count: termCount)
    entries.deallocate()
    entries = larger
  }

  private func growSlots() {
    let larger = LargeMemory<UInt64>(count: 2 * slots.count)
    larger.start.initialize(repeating: 0, count: larger.count)
    let smaller = slots
    slots = larger
    slotShift -= 1
    for number in 0..<smaller.count where smaller[number] != 0 {
      let value = smaller[number]
      var slot = slot(of: UInt32(truncatingIfNeeded: value >> 32))
      while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = value
    }
    smaller.deallocate()
  }

  // MARK: - Doclists

  @inline(never)
  private func grow(_ entry: UnsafeMutablePointer<Entry>) {
    let (old, oldClass) = (entry.pointee.doclist, Int(entry.pointee.sizeClass))
    let block = arena.pointee.allocate(oldClass + 1)
    UnsafeMutableRawPointer(block).copyMemory(from: old, byteCount: Int(entry.pointee.count))
    arena.pointee.release(old, oldClass)
    entry.pointee.doclist = block
    entry.pointee.sizeClass += 1
  }

  private func beginPoslist(_ entry: UnsafeMutablePointer<Entry>, _ row: Int64) {
    endPoslist(entry)
    var count = Int(entry.pointee.count)
    let delta = UInt64(bitPattern: row) &- UInt64(bitPattern: entry.pointee.lastRow)
    count += (entry.pointee.doclist + count).writeVarint(delta)
    entry.pointee.lastRow = row
    entry.pointee.sizeOffset = UInt32(truncatingIfNeeded: count)
    entry.pointee.count = UInt32(truncatingIfNeeded: count + 1)
    entry.pointee.lastColumn = 0
    entry.pointee.lastPosition = 0
    entry.pointee.isRemoval = false
  }

  /// Writes the size of the last poslist, for which one byte is reserved. Its lowest bit marks a removal.
  private func endPoslist(_ entry: UnsafeMutablePointer<Entry>) {
    let isRemoval = entry.pointee.isRemoval ? 1 : 0
    let start = entry.pointee.doclist + Int(entry.pointee.sizeOffset)
    let length = Int(entry.pointee.count) - Int(entry.pointee.sizeOffset) - 1
    if length < 64 {
      start[0] = UInt8(truncatingIfNeeded: 2 * length + isRemoval)
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { buffer in
      guard let size = buffer.baseAddress else { return }
      let sizeLength = size.writeVarint(UInt64(2 * length + isRemoval))
      UnsafeMutableRawPointer(start + sizeLength).copyMemory(from: start + 1, byteCount: length)
      UnsafeMutableRawPointer(start).copyMemory(from: size, byteCount: sizeLength)
      entry.pointee.count += UInt32(truncatingIfNeeded: sizeLength - 1)
    }
  }
}

@available(*, unavailable)
extension PostingsHash: Sendable {}
