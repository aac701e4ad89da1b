import Foundation

/// Returns whether the processor time of `body` grows no faster than the size that it receives.
///
/// `body` is called with `size` and with four times `size`, which must take less than eight times as long; if its time
/// grows with the square, it takes sixteen times as long. Processor time does not depend on tests that run at the same
/// time, but the caches of the processor do, so only the third failure counts.
public func takesLinearTime(_ size: Int, _ body: (Int) throws -> Void) rethrows -> Bool {
  for _ in 0..<3 {
    let small = try processorTime { try body(size) }
    if try processorTime({ try body(4 * size) }) < small * 8 { return true }
  }
  return false
}

/// Returns the processor time that this thread uses for `body`.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  let start = processorTime()
  try body()
  return processorTime() - start
}

private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
