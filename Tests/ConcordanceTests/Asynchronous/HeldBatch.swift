import Concordance
import Foundation

/// A batch of another thread that is open until it is released: all other writers must wait.
final class HeldBatch: Sendable {
  private let gate = DispatchSemaphore(value: 0)
  /// Whether the batch ended before it was released: only so can a test fail in which nothing runs while the batch is open.
  private let isLate = Locked(false)

  /// Whether the batch is open.
  var isOpen: Bool { !isLate.value }

  /// Returns when the batch is open.
  init(in database: Database) async {
    let (gate, isLate) = (gate, isLate)
    await withCheckedContinuation { isOpen in
      Thread {
        try? database.inBatch {
          isOpen.resume()
          if gate.wait(timeout: .now() + 40) == .timedOut { isLate.set(true) }
        }
      }.start()
    }
  }

  func release() { gate.signal() }
}
