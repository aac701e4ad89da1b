import Foundation

/// Work on pieces that one thread reads and hands over to others, whose results are delivered in order on the reading thread.
///
/// A database on a server is read by one connection, so ``ReaderPool`` has no helpers for it. The reading thread waits for the
/// server while other threads process what it has read.
///
/// ```swift
/// let handoff = OrderedHandoff { try matches(in: $0) } deliver: { found += $0; return true }
/// defer { handoff.cancel() }
/// while let piece = try readPiece(), try handoff.add(piece) {}
/// try handoff.finish()
/// ```
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`; the other variables belong to the reading
/// thread.
public final class OrderedHandoff<Piece: Sendable, Output: Sendable>: @unchecked Sendable {
  private let work: @Sendable (Piece) throws -> Output
  private let deliver: (Output) throws -> Bool
  private let queue = DispatchQueue(label: "concordance.handoff", attributes: .concurrent)
  /// The group releases a piece of work before it is left, so that nothing keeps ``work`` after ``cancel()``.
  private let running = DispatchGroup()
  private let condition = NSCondition()
  private var state = State()
  private var addedCount = 0
  private var deliveredCount = 0
  private var isStopped = false
  private let window = max(2, ProcessorCount.active)

  private struct State {
    var isCancelled = false
    var results: [Int: Result<Output, any Error>] = [:]
  }

  /// - Parameters:
  ///   - work: processes a piece, on any thread and concurrently.
  ///   - deliver: receives the results in the order of the pieces, on the thread that adds them, and returns whether to continue.
  public init(_ work: @escaping @Sendable (Piece) throws -> Output, deliver: @escaping (Output) throws -> Bool) {
    self.work = work
    self.deliver = deliver
  }

  /// Adds a piece. If as many pieces as there are processors are not delivered yet, waits for the first of them and delivers it.
  ///
  /// - Returns: whether to continue.
  /// - Throws: the error of the work on the first piece that fails, after the results before it were delivered; errors of
  ///   `deliver`; `CancellationError` if the operation of this thread (``Interruption``) was interrupted.
  public func add(_ piece: Piece) throws -> Bool {
    while !isStopped, addedCount - deliveredCount >= window { try deliverNext() }
    guard !isStopped else { return false }
    try Interruption.check()
    start(piece, number: addedCount)
    addedCount += 1
    return true
  }

  /// Delivers the remaining results.
  ///
  /// - Throws: as ``add(_:)``.
  public func finish() throws {
    while !isStopped, deliveredCount < addedCount { try deliverNext() }
  }

  /// Returns when no thread works any longer. Must be called before the closures become invalid.
  public func cancel() {
    condition.withLock { state.isCancelled = true }
    running.wait()
  }

  private func start(_ piece: Piece, number: Int) {
    let (deadline, interruption) = (Deadline.current, Interruption.current)
    queue.async(group: running) { [self] in
      let result = Result {
        try Interruption.$current.withValue(interruption) {
          guard !condition.withLock({ state.isCancelled }) else { throw CancellationError() }
          try Interruption.check()
          return try Deadline.run(deadline) { try work(piece) }
        }
      }
      condition.withLock {
        state.results[number] = result
        condition.broadcast()
      }
    }
  }

  private func deliverNext() throws {
    let result = condition.withLock {
      while true {
        if let result = state.results.removeValue(forKey: deliveredCount) { return result }
        condition.wait()
      }
    }
    deliveredCount += 1
    isStopped = try !deliver(result.get())
  }
}
