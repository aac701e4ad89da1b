import DocumentStore
import PostgresAccess
import SQLiteAccess
import Synchronization

// The manifest is checked when a database is opened, and again by each transaction.

extension StoreAdministration {
  /// Checks that this library reads and writes the version in a manifest.
  static func requireVersion(_ manifestVersion: Int64, name: String) throws {
    let version = Citus.schemaVersion(manifestVersion)
    guard manifestVersion < 2 * Citus.versionOffset, version <= StoreSchema.version else {
      throw StoreError(
        .newerVersion,
        "\(name): written by a newer version (schema \(version), this one reads up to \(StoreSchema.version)); update "
          + "Concordance")
    }
    guard version == StoreSchema.version else {
      throw StoreError(
        .cannotOpen,
        "\(name): its tables have the older version \(version); initialize the database again, with its number of "
          + "shards, to update them")
    }
  }
}

extension PostgresStorage {
  /// Checks that a database was not updated or created again since it was opened.
  ///
  /// - Parameter manifest: the version and the number of shards.
  func requireUnchanged(_ manifest: PostgresResult) throws {
    guard manifest.count == 1 else { throw StoreAdministration.damage(name) }
    let (version, count) = (manifest.int64(0, 0), manifest.int64(0, 1))
    try StoreAdministration.requireVersion(version, name: name)
    guard count == Int64(shards.count), Citus.isOnCitus(version: version) == nodes.isOnCitus else {
      throw replaced()
    }
  }

  /// Checks that a database is the one that was opened.
  func requireSame(identity found: String?) throws {
    guard let found else { throw StoreAdministration.damage(name) }
    guard found == identity else { throw replaced() }
  }

  /// Runs the statements that begin a transaction. The tables that they read exist as long as the database does.
  func requiringManifest<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as PostgresError where error.kind == .undefinedTable {
      throw replaced("its tables were deleted since it was opened; restore a backup, or initialize the database again")
    }
  }

  /// Notes that the database is not the one that was opened, and returns the error.
  private func replaced(_ reason: String = "the database was created again since it was opened") -> StoreError {
    noteReplacement()
    return StoreError(.replaced, "\(name): \(reason)")
  }

  /// Notes the number of a state that a transaction has seen or committed. If it is lower than an earlier one, commits
  /// were lost, for example because a standby without them has become the server. Later commits give the same numbers
  /// of states and segments to other contents, so everything that was read before is discarded.
  ///
  /// - Parameter earlier: the highest number that was known before the transaction began.
  func noteState(_ state: Int64, after earlier: Int64) {
    guard state < earlier else {
      lastState.max(state, ordering: .relaxed)
      return
    }
    lastState.store(state, ordering: .relaxed)
    discardCaches()
    shardStates.removeAll()
  }
}
