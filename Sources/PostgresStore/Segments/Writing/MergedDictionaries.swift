/// The dictionaries of segments that are merged, read together in term order.
///
/// A shard may have hundreds of segments, so the segment with the least term is found with a binary heap.
struct MergedDictionaries {
  /// A term, with its entries in the segments that contain it, in the order of the segments.
  typealias Term = (term: [UInt8], entries: [(segment: Int, entry: DictionaryEntry)])

  private var cursors: [DictionaryCursor]
  /// The first eight bytes of the current term of each cursor. Most terms differ in them.
  private var beginnings: [UInt64]
  /// The cursors that have a current term; the least of them is the first.
  private var heap: [Int] = []
  /// The cursors whose pages must be read before the least term is known.
  private var waiting: [Int]

  /// - Parameter pageBatch: the number of pages of a dictionary that are read together.
  init(_ segments: [SegmentKey], pageBatch: Int) {
    cursors = segments.map { DictionaryCursor($0, pageBatch: pageBatch) }
    beginnings = Array(repeating: 0, count: segments.count)
    waiting = Array(segments.indices)
  }

  /// Returns the next term.
  mutating func next(_ storage: any SegmentStorage) throws -> Term? {
    try readPages(storage)
    guard let first = heap.first, let term = cursors[first].term else { return nil }
    var entries: [(segment: Int, entry: DictionaryEntry)] = []
    while let number = heap.first, cursors[number].term == term, let entry = cursors[number].takeEntry() {
      entries.append((number, entry))
      if let next = cursors[number].term {
        beginnings[number] = MergedDictionaries.beginning(of: next)
        moveDown(0)
      } else {
        removeFirst()
        if cursors[number].needsPages { waiting.append(number) }
      }
    }
    return (term, entries)
  }

  private mutating func readPages(_ storage: any SegmentStorage) throws {
    while let first = waiting.first {
      let numbers = waiting.sorted()
      waiting = []
      let read = try storage.pages(numbers.map { cursors[$0].pages.range }, limit: cursors[first].pageBatch)
      for (number, pages) in zip(numbers, read) {
        try cursors[number].append(pages)
        if let term = cursors[number].term {
          beginnings[number] = MergedDictionaries.beginning(of: term)
          heap.append(number)
          moveUp(heap.count - 1)
        } else if cursors[number].needsPages {
          waiting.append(number)
        }
      }
    }
  }

  // MARK: - Heap

  private static func beginning(of term: [UInt8]) -> UInt64 {
    var number: UInt64 = 0
    for position in 0..<8 { number = number << 8 | (position < term.count ? UInt64(term[position]) : 0) }
    return number
  }

  /// Whether the term of a cursor is less than that of another one; equal terms are in the order of the segments.
  private func precedes(_ first: Int, _ second: Int) -> Bool {
    if beginnings[first] != beginnings[second] { return beginnings[first] < beginnings[second] }
    guard let one = cursors[first].term, let other = cursors[second].term else { return false }
    return one == other ? first < second : one.lexicographicallyPrecedes(other)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    moveDown(0)
  }

  private mutating func moveUp(_ start: Int) {
    var position = start
    while position > 0, precedes(heap[position], heap[(position - 1) / 2]) {
      heap.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  private mutating func moveDown(_ start: Int) {
    var position = start
    while true {
      var least = position
      for child in 2 * position + 1..<2 * position + 3 where child < heap.count && precedes(heap[child], heap[least]) {
        least = child
      }
      guard least != position else { return }
      heap.swapAt(position, least)
      position = least
    }
  }
}

/// Reads the entries of a dictionary in order.
private struct DictionaryCursor {
  private(set) var pages: DictionaryPageCursor
  let pageBatch: Int
  /// The terms of the pages that were read last, and their entries.
  private var terms: [[UInt8]] = []
  private var entries: [DictionaryEntry] = []
  private var position = 0

  init(_ segment: SegmentKey, pageBatch: Int) {
    pages = DictionaryPageCursor(TermRange(segment, prefix: []))
    self.pageBatch = pageBatch
  }

  /// The current term; nil after the last one.
  var term: [UInt8]? { position < terms.count ? terms[position] : nil }

  var needsPages: Bool { position == terms.count && !pages.isAtEnd }

  /// Returns the current entry and proceeds to the next one.
  mutating func takeEntry() -> DictionaryEntry? {
    guard position < entries.count else { return nil }
    defer { position += 1 }
    return entries[position]
  }

  mutating func append(_ batch: [StoredPage]) throws {
    let new = pages.take(batch, limit: pageBatch)
    terms.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    position = 0
    try DictionaryPage.forEachEntry(on: new, prefix: []) {
      terms.append($0)
      entries.append($1)
    }
  }
}
