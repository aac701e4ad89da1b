import Foundation

/// Work on parts that one thread reads and hands over to others, whose results are delivered in order on the reading
/// thread.
///
/// A database on a server is read by one connection, so ``ReaderPool`` has no helpers for it. The reading thread waits
/// for the server while other threads process what it has read. While it waits for a result, it processes parts itself.
///
/// ```swift
/// let pipeline = OrderedPipeline(on: store.helperThreads) {
///   try matches(in: $0)
/// } deliver: {
///   found += $0
///   return true
/// }
/// defer { pipeline.cancel() }
/// while let part = try readPart(), try pipeline.add(part) {}
/// try pipeline.finish()
/// ```
public final class OrderedPipeline<Part: Sendable, Output: Sendable> {
  private let threads: WorkerThreads
  private let parts: PendingParts<Part, Output>
  private let deliver: (Output) throws -> Bool
  private var addedCount = 0
  private var deliveredCount = 0
  private var isStopped = false
  /// The number of parts that are not delivered yet.
  private let window = ProcessorCount.active + 1

  /// - Parameters:
  ///   - threads: the threads that help.
  ///   - work: processes a part, on any thread and concurrently.
  ///   - deliver: receives the results in the order of the parts, on the thread that adds them, and returns whether to
  ///     continue.
  public init(
    on threads: WorkerThreads, _ work: @escaping @Sendable (Part) throws -> Output,
    deliver: @escaping (Output) throws -> Bool
  ) {
    self.threads = threads
    self.deliver = deliver
    parts = PendingParts(work)
  }

  /// Adds a part. If too many are not delivered yet, waits for the first of them and delivers it.
  ///
  /// - Returns: whether to continue.
  /// - Throws: the error of the work on the first part that fails, after the results before it were delivered; errors
  ///   of `deliver`; `CancellationError` if the operation of this thread (``Interruption``) was interrupted.
  public func add(_ part: Part) throws -> Bool {
    while !isStopped, addedCount - deliveredCount >= window { try deliverNext() }
    guard !isStopped else { return false }
    try Interruption.check()
    parts.add(part, number: addedCount)
    addedCount += 1
    let (deadline, interruption) = (Deadline.current, Interruption.current)
    threads.submit { [parts] in
      Interruption.$current.withValue(interruption) { Deadline.$current.withValue(deadline) { parts.runNext() } }
    }
    return true
  }

  /// Delivers the remaining results.
  ///
  /// - Throws: as ``add(_:)``.
  public func finish() throws {
    while !isStopped, deliveredCount < addedCount { try deliverNext() }
  }

  /// Discards the parts that wait, and returns when no thread works on a part. Must be called before the closures
  /// become invalid.
  public func cancel() { parts.cancel() }

  private func deliverNext() throws {
    let result = parts.result(number: deliveredCount)
    deliveredCount += 1
    isStopped = try !deliver(result.get())
  }
}

@available(*, unavailable)
extension OrderedPipeline: Sendable {}

/// The parts of an ``OrderedPipeline`` that wait, and the results that are not delivered yet.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
private final class PendingParts<Part: Sendable, Output: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var state: State

  private struct State {
    /// Nil after the cancellation. A helper thread may release its reference to the parts later than the reading thread
    /// ends, and then nothing may refer to the closure.
    var work: (@Sendable (Part) throws -> Output)?
    var waiting: [(number: Int, part: Part)] = []
    var running = 0
    var results: [Int: Result<Output, any Error>] = [:]
  }

  init(_ work: @escaping @Sendable (Part) throws -> Output) { state = State(work: work) }

  func add(_ part: Part, number: Int) {
    condition.withLock { state.waiting.append((number, part)) }
  }

  /// Processes the first part that waits, if there is one.
  func runNext() {
    if let next = condition.withLock({ takeNext() }) { run(next) }
  }

  /// Returns the result of a part, and processes others until there is one.
  func result(number: Int) -> Result<Output, any Error> {
    while true {
      let step: (result: Result<Output, any Error>?, next: (number: Int, part: Part)?) = condition.withLock {
        while true {
          if let result = state.results.removeValue(forKey: number) { return (result, nil) }
          if let next = takeNext() { return (nil, next) }
          condition.wait()
        }
      }
      if let result = step.result { return result }
      if let next = step.next { run(next) }
    }
  }

  func cancel() {
    condition.withLock {
      state.waiting = []
      while state.running > 0 { condition.wait() }
      state.work = nil
    }
  }

  /// Requires the lock.
  private func takeNext() -> (number: Int, part: Part)? {
    guard !state.waiting.isEmpty else { return nil }
    state.running += 1
    return state.waiting.removeFirst()
  }

  private func run(_ next: (number: Int, part: Part)) {
    let result = process(next.part)
    condition.withLock {
      state.results[next.number] = result
      state.running -= 1
      condition.broadcast()
    }
  }

  /// Not inlined, so that its reference to the closure ends before the part counts as processed.
  @inline(never)
  private func process(_ part: Part) -> Result<Output, any Error> {
    Result {
      try Interruption.check()
      guard let work = condition.withLock({ state.work }) else { throw CancellationError() }
      return try Deadline.run(Deadline.current) { try work(part) }
    }
  }
}
