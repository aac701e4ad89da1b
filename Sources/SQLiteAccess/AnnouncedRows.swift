public import GRDB
import GRDBSQLite
import Synchronization

/// A table that fetches rows from another machine and can fetch many in the time of one.
public protocol RowAnnouncementReceiver: AnyObject {
  /// Receives the numbers of rows that will be read next, in this order.
  ///
  /// - Parameter table: the table; nil if it is not known.
  func willRead(_ rows: [Int64], of table: String?) throws
}

/// A connection whose value indexes are tables of another database.
public protocol ValueTableOwner: AnyObject {
  /// Creates the table of a value index.
  ///
  /// - Parameters:
  ///   - id: the id of the index.
  ///   - keyCount: the number of columns `k0`, … and `e0`, ….
  ///   - isOfDocuments: whether every document has at most one row.
  ///   - hasOutput: whether there is a column `output`.
  func createValueTable(id: Int64, keyCount: Int, isOfDocuments: Bool, hasOutput: Bool, _ db: Database) throws

  /// Drops the table of a value index.
  func dropValueTable(id: Int64) throws
}

extension Database {
  /// The owner of the tables of value indexes; nil for a file.
  public var valueTableOwner: (any ValueTableOwner)? { announcementReceiver as? any ValueTableOwner }
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
  public var announcementReceiver: (any RowAnnouncementReceiver)? { receiver(connectionNumber) }
}

private func receiver(_ connection: UInt) -> (any RowAnnouncementReceiver)? {
  guard hasReceivers.load(ordering: .acquiring) else { return nil }
  let found = receivers.withLock { $0[connection] }
  return found?.receiver
}

extension SQLResult {
  /// Announces rows of a table of documents that the running statement will probably read next, if the connection
  /// fetches its rows from another machine.
  public func announce(_ rows: () -> [Int64]) {
    guard hasReceivers.load(ordering: .acquiring), let connection = sqlite3_context_db_handle(context) else { return }
    // An announcement only saves time, and reading a row reports the same error.
    try? receiver(UInt(bitPattern: connection))?.willRead(rows(), of: nil)
  }
}
