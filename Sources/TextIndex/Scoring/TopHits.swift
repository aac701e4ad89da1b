/// Collects the best of the offered documents: those with the highest scores, and among equal scores the lowest rows.
struct TopHits {
  /// The maximum number of hits.
  let capacity: Int
  /// A heap with the worst hit at the top.
  private var heap: [RankedRow] = []
  /// Documents with a score below this one are rejected. Scoring loops compare with it first.
  private(set) var threshold = -Double.infinity
  /// Rows that are rejected, ascending.
  private let excluded: [UInt32]

  init(capacity: Int, excluding excluded: [UInt32] = []) {
    self.capacity = capacity
    self.excluded = excluded
    if capacity == 0 { threshold = .infinity }
  }

  /// Adds a document if it is among the best so far.
  @inline(__always)
  mutating func offer(_ row: UInt32, _ score: Double) {
    if score >= threshold { take(row, score) }
  }

  /// Adds a document, which may have any row number, if it is among the best so far. Excluded rows are not considered.
  mutating func offer(_ hit: RankedRow) {
    if hit.score >= threshold, isAmongBest(hit) { insert(hit) }
  }

  /// Returns the hits, best first.
  var ranked: [RankedRow] { heap.sorted { $0.isBetter(than: $1) } }

  @inline(never)
  private mutating func take(_ row: UInt32, _ score: Double) {
    let hit = RankedRow(rowID: Int64(row), score: score)
    guard isAmongBest(hit), !excluded.containsSorted(row) else { return }
    insert(hit)
  }

  private func isAmongBest(_ hit: RankedRow) -> Bool {
    guard heap.count == capacity else { return true }
    return heap.first.map { hit.isBetter(than: $0) } ?? false
  }

  private mutating func insert(_ hit: RankedRow) {
    if heap.count < capacity {
      heap.append(hit)
      siftUp()
    } else {
      heap[0] = hit
      siftDown()
    }
    if heap.count == capacity { threshold = heap[0].score }
  }

  private mutating func siftUp() {
    var position = heap.count - 1
    while position > 0, heap[(position - 1) / 2].isBetter(than: heap[position]) {
      heap.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  private mutating func siftDown() {
    var position = 0
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child].isBetter(than: heap[child + 1]) { child += 1 }
      guard heap[position].isBetter(than: heap[child]) else { return }
      heap.swapAt(position, child)
      position = child
    }
  }
}
