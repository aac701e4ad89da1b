import HTTPTypes
import Synchronization

/// Limits the total memory used by the bodies of all requests.
final class MemoryBudget: Sendable {
  private let used = Mutex(0)
  private let limit: Int

  /// - Parameter limit: the maximum number of bytes.
  init(limit: Int) { self.limit = limit }

  func makeReservation() -> Reservation { Reservation(self) }

  /// The memory of one request. It is released with the last reference.
  final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let count = Mutex(0)

    fileprivate init(_ budget: MemoryBudget) { self.budget = budget }

    deinit { count.withLock { count in budget.used.withLock { $0 -= count } } }

    /// Reserves more memory.
    ///
    /// - Throws: ``Problem`` with status 503 and `Retry-After` if the limit would be exceeded.
    func add(_ bytes: Int) throws {
      let fits = budget.used.withLock { used in
        guard used + bytes <= budget.limit else { return false }
        used += bytes
        return true
      }
      guard fits else {
        throw Problem.queueFull("the bodies of running requests exceed \(budget.limit >> 20) MiB")
      }
      count.withLock { $0 += bytes }
    }
  }
}
