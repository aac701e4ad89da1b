import PostgresAccess
import Synchronization

/// The write transactions of an open database, by which a client that has lost its connection during a commit finds out
/// whether the commit took effect. The row of the client in `cx_commit` lists those that were committed.
///
/// On several nodes the row also decides about prepared transactions: one is committed if the row lists it, and
/// otherwise rolled back. A number is removed from the row when a prepared transaction with it can no longer exist on
/// any node.
final class CommitLog: Sendable {
  /// Identifies the open database.
  let client: String
  private let state = Mutex(State())

  private struct State {
    var last: Int64 = 0
    /// Numbers that a later commit removes from the row.
    var finished: Set<Int64> = []
  }

  init() { client = StoreAdministration.randomIdentifier() }

  /// Returns the number of a write transaction.
  func begin() -> Int64 {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// Records that the number of a committed transaction is no longer needed.
  func finish(_ number: Int64) { state.withLock { _ = $0.finished.insert(number) } }

  /// Returns the statement that records a commit, in its transaction, and the numbers that it removes.
  func statement(_ number: Int64) -> (statement: PostgresStatement, removed: Set<Int64>) {
    let removed = state.withLock { $0.finished }
    let statement = PostgresStatement(
      """
      INSERT INTO cx_commit (client, batches, since) VALUES ($1, ARRAY[$2::int8], now())
      ON CONFLICT (client) DO UPDATE SET since = excluded.since, batches =
        ARRAY(SELECT b FROM unnest(cx_commit.batches) AS b WHERE b <> ALL ($3::int8[])) || excluded.batches
      """, [.text(client), .int64(number), .int64s(removed.sorted())])
    return (statement, removed)
  }

  /// Records that numbers were removed.
  func didRemove(_ numbers: Set<Int64>) { state.withLock { $0.finished.subtract(numbers) } }
}

/// The name of a transaction that is prepared on several nodes: `concordance:CLUSTER:CLIENT:NUMBER`.
struct PreparedName: Hashable {
  let cluster: String
  let client: String
  let number: Int64

  init(cluster: String, client: String, number: Int64) {
    (self.cluster, self.client, self.number) = (cluster, client, number)
  }

  /// Reads a name; nil if it is not one of a cluster. Another program may have chosen the name of the transaction.
  init?(_ text: String, cluster: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "concordance", parts[1] == cluster, let number = Int64(parts[3]),
      number >= 0, parts[1...2].allSatisfy({ PreparedName.isIdentifier($0) })
    else { return nil }
    self.init(cluster: cluster, client: String(parts[2]), number: number)
    // Numbers have several forms, such as `+7`.
    guard self.text == text else { return nil }
  }

  /// Whether a text can be part of a name: it consists of lowercase letters and digits.
  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
      }
  }

  /// The name. It contains no quotation mark: its parts consist of letters and digits.
  var text: String { "concordance:\(cluster):\(client):\(number)" }

  /// The statements that end it.
  var commit: PostgresStatement { PostgresStatement("COMMIT PREPARED '\(text)'", isCached: false) }
  var rollback: PostgresStatement { PostgresStatement("ROLLBACK PREPARED '\(text)'", isCached: false) }
  var preparation: PostgresStatement { PostgresStatement("PREPARE TRANSACTION '\(text)'", isCached: false) }
}
