/// The dictionaries of segments that are merged, read together in term order.
///
/// A shard may have hundreds of segments, so the segment with the least term is found with a binary heap.
struct MergedDictionaries {
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

  /// Returns the next term, with its entries in the segments that contain it, in the order of the segments.
  mutating func next(
    _ storage: any SegmentStorage
  ) throws -> (term: [UInt8], entries: [(segment: Int, entry: DictionaryEntry)])? {
    try readPages(storage)
    guard let first = heap.first, let term = cursors[first].current?.term else { return nil }
    var entries: [(segment: Int, entry: DictionaryEntry)] = []
    while let number = heap.first, let current = cursors[number].current, current.term == term {
      entries.append((number, current.entry))
      cursors[number].advance()
      if cursors[number].current == nil {
        removeFirst()
        if cursors[number].needsPages { waiting.append(number) }
      } else {
        beginnings[number] = MergedDictionaries.beginning(of: cursors[number].current?.term ?? [])
        moveDown(0)
      }
    }
    return (term, entries)
  }

  private mutating func readPages(_ storage: any SegmentStorage) throws {
    while let first = waiting.first {
      let numbers = waiting.sorted()
      waiting = []
      let read = try storage.pages(numbers.map { cursors[$0].range }, limit: cursors[first].pageBatch)
      for (number, pages) in zip(numbers, read) {
        try cursors[number].append(pages)
        if let term = cursors[number].current?.term {
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
    guard let one = cursors[first].current?.term, let other = cursors[second].current?.term else { return false }
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
  private let segment: SegmentKey
  let pageBatch: Int
  private var entries: [(term: [UInt8], entry: DictionaryEntry)] = []
  private var position = 0
  /// The first term of the last page that was read; nil before the first page.
  private var lastPage: [UInt8]?
  private var isAtEnd = false

  init(_ segment: SegmentKey, pageBatch: Int) {
    self.segment = segment
    self.pageBatch = pageBatch
  }

  /// The current entry; nil after the last one.
  var current: (term: [UInt8], entry: DictionaryEntry)? { position < entries.count ? entries[position] : nil }

  var needsPages: Bool { position == entries.count && !isAtEnd }

  /// The range of the next pages. It begins with the last page that was read.
  var range: TermRange { TermRange(segment, from: lastPage ?? [], below: [0xFF]) }

  mutating func advance() { position += 1 }

  mutating func append(_ pages: [StoredPage]) throws {
    isAtEnd = pages.count < pageBatch
    let new = pages.filter { page in lastPage.map { $0.lexicographicallyPrecedes(page.firstTerm) } ?? true }
    if new.isEmpty { isAtEnd = true }
    entries.removeAll(keepingCapacity: true)
    position = 0
    try DictionaryPage.forEachEntry(on: new, prefix: []) { entries.append(($0, $1)) }
    if let last = new.last { lastPage = last.firstTerm }
  }
}
