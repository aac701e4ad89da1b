import Foundation

/// A serial queue of limited length. Another thread does the work while the thread of a transaction continues.
final class BoundedSerialQueue: Sendable {
  private let queue = DispatchQueue(label: "concordance.postgres.work")
  private let running = DispatchGroup()
  /// The pieces that may be waiting or running; what they use is in memory.
  private let vacancies: DispatchSemaphore

  /// - Parameter limit: the number of pieces that may be waiting or running.
  init(limit: Int) { vacancies = DispatchSemaphore(value: limit) }

  /// Does a piece of work soon. Waits while too many are waiting.
  func add(_ body: @escaping @Sendable () -> Void) {
    vacancies.wait()
    queue.async(group: running) { [vacancies] in
      body()
      vacancies.signal()
    }
  }

  /// Waits until all work is done.
  func wait() { running.wait() }
}
