import DocumentStore

extension Database {
  /// The number of steps of ``DatabaseConfiguration/migrations`` that were applied to the database: the version of the
  /// program's schema.
  ///
  /// This is not SQLite's `user_version`, which is the version of the file format.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public var userVersion: Int {
    get throws { try appliedMigrations().count }
  }

  /// Returns the names of the migration steps that were applied to the database, in order.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func appliedMigrations() throws -> [String] {
    try withPublicErrors { try engine.store.read { try MigrationLog.names($0) } }
  }

  /// Runs the migration steps that have not been applied yet, in order, each in its own transaction.
  ///
  /// Opening a database does this with ``DatabaseConfiguration/migrations``. If several processes migrate a database at
  /// the same time, each step runs in one of them. The others wait, at most ``DatabaseConfiguration/busyTimeout`` for
  /// each step.
  ///
  /// ```swift
  /// try database.migrate([
  ///   Migration("create hotels") { database in _ = try database.createCollection(name: "hotels") }
  /// ])
  /// ```
  ///
  /// - Parameter migrations: all steps of the program, beginning with the first.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/databaseTooNew`` if more steps were applied than `migrations` contains: a newer version of the
  ///     program has used the database.
  ///   - ``CBLError/invalidParameter`` if the names of the applied steps differ, or if two steps have the same name.
  ///   - ``CBLError/unexpectedError`` if a step throws; ``CBLError/underlyingError`` is the error that it threw. The
  ///     step is rolled back, and earlier steps remain applied.
  ///   - ``CBLError/notWriteable`` if there are steps to run and the database is read-only.
  public func migrate(_ migrations: [Migration]) throws {
    let steps = MigrationSteps(path: engine.store.path, migrations)
    try steps.check()
    try withPublicErrors {
      // The steps are checked before writing, so that no write lock is taken if there are no pending steps.
      while try !steps.areComplete(appliedMigrations(), isReadOnly: config.isReadOnly) {
        let start = ContinuousClock.now
        let step = try engine.write { transaction -> (name: String, userVersion: Int)? in
          // The steps are checked again, because another process may have run the step while this one waited for the
          // lock.
          let applied = try MigrationLog.names(transaction.db)
          guard try !steps.areComplete(applied, isReadOnly: false) else { return nil }
          let migration = migrations[applied.count]
          do { try migration.body(self) } catch {
            throw CBLError.rolledBack("the migration \"\(migration.name)\" was rolled back", by: error)
          }
          try MigrationLog.append(migration.name, transaction)
          return (migration.name, applied.count + 1)
        }
        guard let step else { continue }
        let duration = ContinuousClock.now - start
        engine.log.info(
          "migration step run",
          ["step": step.name, "userVersion": "\(step.userVersion)", "duration": "\(duration)"])
      }
    }
  }
}

/// The migration steps of a program, to compare with those that were applied to a database.
private struct MigrationSteps {
  let path: String
  let names: [String]

  init(path: String, _ migrations: [Migration]) {
    self.path = path
    names = migrations.map(\.name)
  }

  func check() throws {
    var seen: Set<String> = []
    if let duplicate = names.first(where: { !seen.insert($0).inserted }) {
      throw CBLError(CBLError.invalidParameter, "two migrations are named \"\(duplicate)\"; give each a unique name")
    }
  }

  /// Returns whether every step has been applied. Throws if the applied steps do not match those of the program, or if
  /// steps are missing and the database is read-only.
  func areComplete(_ applied: [String], isReadOnly: Bool) throws -> Bool {
    if let (number, (before, now)) = zip(applied, names).enumerated().first(where: { $1.0 != $1.1 }) {
      throw CBLError(
        CBLError.invalidParameter,
        "\(path): migration \(number + 1) was \"\(before)\", but this program calls it \"\(now)\"; "
          + "do not rename or reorder migrations; add new ones at the end")
    }
    guard applied.count <= names.count else {
      throw CBLError(
        CBLError.databaseTooNew,
        "\(path): the database has userVersion \(applied.count) (\"\(applied.last ?? "")\"), but this program has only "
          + "\(names.count) migrations; update the program")
    }
    if applied.count < names.count, isReadOnly {
      throw CBLError(
        CBLError.notWriteable,
        "\(path): the database has userVersion \(applied.count), but this program needs \(names.count); open it once "
          + "for writing to run the migrations")
    }
    return applied.count == names.count
  }
}
