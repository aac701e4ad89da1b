import DocumentStore

extension Database {
  /// The number of steps of ``DatabaseConfiguration/migrations`` that the database has run: the version of the
  /// program's schema.
  ///
  /// It is not SQLite's `user_version`, which is the version of the file format.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public var userVersion: Int {
    get throws { try appliedMigrations().count }
  }

  /// Returns the names of the steps that the database has run, in order.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func appliedMigrations() throws -> [String] {
    try withPublicErrors { try engine.store.read { try MigrationLog.names($0) } }
  }

  /// Runs the steps that the database has not run yet, in order, each in its own transaction.
  ///
  /// Opening a database does this with ``DatabaseConfiguration/migrations``. If several processes call it at the same
  /// time, one of them runs each step and the others wait, at most ``DatabaseConfiguration/busyTimeout`` for a step.
  ///
  /// ```swift
  /// try database.migrate([
  ///   Migration("create hotels") { database in _ = try database.createCollection(name: "hotels") }
  /// ])
  /// ```
  ///
  /// - Parameter migrations: all steps of the program, beginning with the first.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/databaseTooNew`` if the database has run more steps than these: the program is too old for it.
  ///   - ``CBLError/invalidParameter`` if the database has run other steps than these, or two steps have the same name.
  ///   - ``CBLError/unexpectedError`` if a step throws; its error is `userInfo[NSUnderlyingErrorKey]`. Earlier steps
  ///     remain.
  ///   - ``CBLError/notWriteable`` if there are steps to run and the database is read-only.
  public func migrate(_ migrations: [Migration]) throws {
    let steps = MigrationSteps(path: engine.store.path, migrations)
    try steps.check()
    try withPublicErrors {
      // Checked before writing, so that a database without pending steps takes no write lock.
      while try !steps.areComplete(appliedMigrations(), isReadOnly: config.isReadOnly) {
        let start = ContinuousClock.now
        let step = try engine.write { transaction -> (name: String, userVersion: Int)? in
          // Checked again: another process may have run the step while this one waited for the lock.
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

/// The steps of a program, compared with those that a database has run.
private struct MigrationSteps {
  let path: String
  let names: [String]

  init(path: String, _ migrations: [Migration]) {
    self.path = path
    names = migrations.map(\.name)
  }

  func check() throws {
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw CBLError(CBLError.invalidParameter, "two migrations are called \"\(twice)\"; give each a name of its own")
    }
  }

  /// Returns whether every step has run.
  func areComplete(_ applied: [String], isReadOnly: Bool) throws -> Bool {
    if let (number, (before, now)) = zip(applied, names).enumerated().first(where: { $1.0 != $1.1 }) {
      throw CBLError(
        CBLError.invalidParameter,
        "\(path): its migration \(number + 1) was \"\(before)\", and the program calls it \"\(now)\"; "
          + "do not rename or reorder migrations, add new ones at the end")
    }
    guard applied.count <= names.count else {
      throw CBLError(
        CBLError.databaseTooNew,
        "\(path): the database has userVersion \(applied.count) (\"\(applied.last ?? "")\"), and this program knows "
          + "\(names.count) migrations; update the program")
    }
    if applied.count < names.count, isReadOnly {
      throw CBLError(
        CBLError.notWriteable,
        "\(path): the database has userVersion \(applied.count), and this program needs \(names.count); open it for "
          + "writing once, so that the migrations run")
    }
    return applied.count == names.count
  }
}
