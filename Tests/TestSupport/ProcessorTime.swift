import Foundation

/// Returns the processor time that this thread uses for `body`.
///
/// The time limit of a test also counts the time that the test waits for other tests. Processor time does not depend on
/// them, so it is the measure of tests that work grows no faster than its input.
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
