import Foundation

/// A segment that one thread encodes while another one, the thread of the transaction, stores it. If the segment is
/// merged from others, the other thread also reads their leaves.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class SegmentEncoding: @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [SegmentPart] = []
  /// The number of leaves, or the error that ended the encoding. Set when the last part was sent.
  private var outcome: Result<Int64, any Error>?
  private var isCancelled = false
  private var requests: [LeafRequest] = []
  /// The leaves that were read, by the number of the segment.
  private var leaves: [Int: SegmentPart] = [:]

  /// The maximum number of parts that wait.
  private let capacity: Int

  /// The maximum number of parts that wait while a transaction stores others, so that a slow disk does not fill the
  /// memory.
  static let defaultCapacity = 8

  /// Thrown on the encoding thread to end it.
  private struct Cancellation: Error {}

  init(capacity: Int = SegmentEncoding.defaultCapacity) { self.capacity = capacity }

  // MARK: - The encoding thread

  /// Encodes the terms that `write` appends. Returns early if the encoding is cancelled.
  func run(
    segment: Int64, pageSize: Int, detail: PostingsHash.Detail, write: (inout LeafWriter) throws -> Void
  ) {
    var part = SegmentPart()
    func sendIfFull() throws {
      guard part.isFull else { return }
      try send(part)
      part = SegmentPart()
    }
    var leaves = LeafWriter(
      segment: segment, pageSize: pageSize, detail: detail,
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
        try write(&leaves)
        let count = try leaves.finish()
        try send(part)
        return count
      })
  }

  /// Asks the other thread for leaves, which ``takeLeaves(_:)`` returns. A segment may have one request at a time.
  func request(_ request: LeafRequest) {
    condition.lock()
    defer { condition.unlock() }
    requests.append(request)
    condition.signal()
  }

  /// Returns the requested leaves of a segment. Blocks until they have been read.
  func takeLeaves(_ segment: Int) throws -> SegmentPart {
    condition.lock()
    defer { condition.unlock() }
    while !isCancelled {
      if let part = leaves.removeValue(forKey: segment) { return part }
      condition.wait()
    }
    throw Cancellation()
  }

  /// Blocks while too many parts wait.
  private func send(_ part: SegmentPart) throws {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= capacity, !isCancelled { condition.wait() }
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
  /// - Parameter read: reads the leaves of a request.
  /// - Returns: the number of leaves.
  /// - Throws: the errors of `body` and `read`, or the one that ended the encoding.
  func forEachPart(
    reading read: (LeafRequest) throws -> SegmentPart = { _ in SegmentPart() },
    _ body: (SegmentPart) throws -> Void
  ) throws -> Int64 {
    while true {
      let work = receive()
      for request in work.requests { reply(try read(request), to: request) }
      if let part = work.part { try body(part) }
      if let outcome = work.outcome { return try outcome.get() }
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

  private func reply(_ part: SegmentPart, to request: LeafRequest) {
    condition.lock()
    defer { condition.unlock() }
    leaves[request.segment] = part
    condition.signal()
  }

  /// Returns all requests, the first part that waits, and the outcome if no others follow. Blocks while there are none.
  private func receive() -> (requests: [LeafRequest], part: SegmentPart?, outcome: Result<Int64, any Error>?) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, requests.isEmpty, outcome == nil { condition.wait() }
    let part = waiting.isEmpty ? nil : waiting.removeFirst()
    defer {
      requests = []
      condition.signal()
    }
    return (requests, part, waiting.isEmpty ? outcome : nil)
  }
}
