import Concordance
import Foundation

/// A batch of another thread that is open until it is released: whoever else wants to write must wait.
final class HeldBatch: Sendable {
  private let gate = DispatchSemaphore(value: 0)

  /// Returns when the batch is open.
  init(in database: Database) async {
    let gate = gate
    await withCheckedContinuation { isOpen in
      Thread {
        try? database.inBatch {
          isOpen.resume()
          gate.wait()
        }
      }.start()
    }
  }

  func release() { gate.signal() }
}
