import Concordance
import Foundation

/// A batch on another thread that stays open until it is released, so that all other writers must wait.
final class HeldBatch: Sendable {
  private let gate = DispatchSemaphore(value: 0)
  /// Whether the batch ended before it was released. This happens if nothing else runs while the batch is open, and
  /// makes the test fail.
  private let isLate = Locked(false)

  /// Whether the batch is open.
  var isOpen: Bool { !isLate.value }

  /// Waits until the batch is open.
  init(in database: Database) async {
    let (gate, isLate) = (gate, isLate)
    await withCheckedContinuation { isOpen in
      Thread {
        try? database.inBatch {
          isOpen.resume()
          if gate.wait(timeout: .now() + 300) == .timedOut { isLate.set(true) }
        }
      }.start()
    }
  }

  func release() { gate.signal() }
}
