import Foundation

/// A segment that one thread encodes while another one stores it.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class SegmentEncoding: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [SegmentPart] = []
  /// The number of leaves, or the error that ended the encoding. Set when the last part was sent.
  private var outcome: Result<Int64, any Error>?
  private var isCancelled = false

  /// The maximum number of parts that wait, so that a slow disk does not fill the memory.
  private static let capacity = 8

  /// Thrown on the encoding thread to end it.
  private struct Cancellation: Error {}

  // MARK: - The encoding thread

  /// Encodes postings. Returns early if the encoding is cancelled.
  func run(_ postings: PostingsHash, segment: Int64, pageSize: Int) {
    var part = SegmentPart()
    func sendIfFull() throws {
      guard part.isFull else { return }
      try send(part)
      part = SegmentPart()
    }
    var leaves = LeafWriter(
      segment: segment, pageSize: pageSize, detail: postings.detail,
      LeafWriter.Output(
        block: { id, bytes in
          part.appendBlock(id, bytes)
          try sendIfFull()
        },
        separator: { term, page in
          part.appendSeparator(term, page)
          try sendIfFull()
        }))
    end(
      Result {
        try postings.forEachEntry { entry in
          try leaves.append(
            UnsafeBufferPointer(start: entry.term, count: Int(entry.termLength)),
            UnsafeBufferPointer(start: entry.doclist, count: Int(entry.count)))
        }
        let count = try leaves.finish()
        try send(part)
        return count
      })
  }

  /// Blocks while too many parts wait.
  private func send(_ part: SegmentPart) throws {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= SegmentEncoding.capacity, !isCancelled { condition.wait() }
    if isCancelled { throw Cancellation() }
    waiting.append(part)
    condition.signal()
  }

  private func end(_ result: Result<Int64, any Error>) {
    condition.lock()
    defer { condition.unlock() }
    outcome = result
    condition.signal()
  }

  // MARK: - The storing thread

  /// Calls `body` with each part, in order. Call ``cancel()`` if it throws.
  ///
  /// - Returns: the number of leaves.
  /// - Throws: the error of `body`, or the one that ended the encoding.
  func forEachPart(_ body: (SegmentPart) throws -> Void) throws -> Int64 {
    while true {
      let (parts, outcome) = receive()
      for part in parts { try body(part) }
      if let outcome { return try outcome.get() }
    }
  }

  /// Ends the encoding thread if not all parts were received. It does not wait for the thread.
  func cancel() {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    waiting = []
    condition.signal()
  }

  /// Returns all parts that wait, and the outcome if they are the last ones. Blocks while there are none.
  private func receive() -> (parts: [SegmentPart], outcome: Result<Int64, any Error>?) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, outcome == nil { condition.wait() }
    defer {
      waiting = []
      condition.signal()
    }
    return (waiting, outcome)
  }
}
