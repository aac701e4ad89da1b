/// A queue whose elements are removed in the order in which they were added.
///
/// Removing the first element of an array moves all others. A queue of this type keeps the positions of removed
/// elements for a while, so both operations take O(1) amortized.
struct FIFO<Element> {
  /// The elements from `start`. The positions before it are nil.
  private var elements: [Element?] = []
  private var start = 0

  /// The minimum number of removed positions that are deleted together.
  private static var minimumRemovedCount: Int { 1000 }

  var count: Int { elements.count - start }
  var isEmpty: Bool { start == elements.count }
  /// The first element; nil if there is none.
  var first: Element? { isEmpty ? nil : elements[start] }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first element; nil if there is none.
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[start]
    elements[start] = nil
    start += 1
    if isEmpty || start > max(FIFO.minimumRemovedCount, elements.count / 2) {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }
}
