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

  /// Appends the elements that `write` stores.
  ///
  /// - Parameters:
  ///   - maximum: the number of elements for which there is space.
  ///   - write: stores elements and returns their number.
  @inline(__always)
  mutating func append(atMost maximum: Int, _ write: (UnsafeMutablePointer<Element>) -> Int) {
    if count &+ maximum > capacity { grow(to: count + maximum) }
    count &+= write(start + count)
  }

  mutating func removeAll() { count = 0 }

  /// Removes all elements after the first `length`.
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
