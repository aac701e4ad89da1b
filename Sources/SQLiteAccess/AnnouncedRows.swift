public import GRDB
import Synchronization

/// A table that fetches rows from another machine and can fetch many in the time of one.
public protocol RowAnnouncementReceiver: AnyObject {
  /// Receives the numbers of rows that will be read next, in this order.
  func willRead(_ rows: [Int64], of table: String) throws
}

private struct WeakReceiver: @unchecked Sendable {
  // Read and written only under the lock of `receivers`.
  weak var receiver: (any RowAnnouncementReceiver)?
}

private let receivers = Mutex<[UInt: WeakReceiver]>([:])
/// Whether there may be a receiver, so that connections to files need not take the lock.
private let hasReceivers = Atomic(false)

extension Database {
  /// Sets the receiver of announcements of this connection.
  public func setAnnouncementReceiver(_ receiver: any RowAnnouncementReceiver) {
    let new = WeakReceiver(receiver: receiver)
    receivers.withLock { receivers in
      receivers = receivers.filter { $0.value.receiver != nil }
      receivers[connectionNumber] = new
    }
    hasReceivers.store(true, ordering: .releasing)
  }

  /// The receiver of announcements; nil for a connection to a file.
  public var announcementReceiver: (any RowAnnouncementReceiver)? {
    guard hasReceivers.load(ordering: .acquiring) else { return nil }
    let found = receivers.withLock { $0[connectionNumber] }
    return found?.receiver
  }
}
