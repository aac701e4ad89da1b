import Foundation

/// Runs `body` on a thread with a stack of `stackSize` bytes, or on the current thread if it is nil.
func onThread<T>(stackSize: Int?, _ body: @escaping () -> T) -> T {
  guard let stackSize else { return body() }
  let box = ThreadBox(body)
  let thread = Thread { box.run() }
  thread.stackSize = stackSize
  thread.start()
  return box.value()
}

/// `@unchecked Sendable`: the semaphore is signalled when the other thread has finished with it.
private final class ThreadBox<T>: @unchecked Sendable {
  private let body: () -> T
  private var result: T?
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping () -> T) { self.body = body }

  func run() {
    result = body()
    isDone.signal()
  }

  func value() -> T {
    isDone.wait()
    guard let result else { preconditionFailure("the thread has no result") }
    return result
  }
}
