import Foundation
import GRDB
import SQLiteAccess

extension Store {
  /// Throws if the file cannot be opened as the configuration requires: it is missing, empty, not writable, or written
  /// by a newer version.
  ///
  /// - Parameter stateWatch: keeps the connection that examines the file; nil if the store writes, because it may first
  ///   have to switch the journal of the file.
  static func requireUsableFile(
    _ path: String, at location: String, _ configuration: StoreConfiguration, keptBy stateWatch: StateWatch?
  ) throws {
    // Checked first, because SQLite's error is less specific about missing permissions.
    if !configuration.isReadOnly, access(path, F_OK) == 0 { try FileProbe.requireWritable(path) }
    switch try FileProbe.examine(path, at: location, keptBy: stateWatch) {
    case .missing where configuration.isReadOnly || !configuration.createsFile:
      throw StoreError(.notFound, "\(path): there is no such database")
    case .empty where configuration.isReadOnly || !configuration.createsFile:
      throw StoreError(
        .corrupt,
        "\(path): the file is empty: another process is creating the database, its first transaction was never committed, "
          + "or the file was truncated")
    case .ours(let version) where version > FileFormat.currentVersion:
      throw StoreError(
        .newerVersion,
        "\(path): written by a newer version (format \(version), this one reads up to "
          + "\(FileFormat.currentVersion)); update Concordance")
    case .missing: try FileProbe.requireWritable(path)
    default: break
    }
  }

  /// Whether the path now refers to another file than the opened one, or to no file. On PostgreSQL, whether an
  /// operation has found that the tables were deleted or created again.
  public var isFileReplaced: Bool {
    if let remote { return remote.isReplaced }
    return identity == nil || FileIdentity(ofFile: absolutePath) != identity
  }

  /// Throws if the path no longer refers to the file that was opened, because changes to a deleted file would be lost.
  func requireSameFile() throws {
    if remote == nil, isFileReplaced { throw StoreError.fileReplaced(path) }
  }

  /// Throws if the file contains any object that this library does not create.
  func requireOwnSchema(_ isIndexObject: @Sendable (SchemaObject) -> Bool) throws {
    let schema = try read { try FileSchema($0, isIndexObject: isIndexObject) }
    if let unlisted = schema.unlistedCollections.first {
      throw StoreError(
        .corrupt,
        "\(path): the file is damaged: \(unlisted) contains documents of a collection that the catalog does not list; "
          + "restore a copy of the file, or read them with `sqlite3`")
    }
    guard let first = schema.foreignObjects.first else { return }
    let otherCount = schema.foreignObjects.count - 1
    let others = otherCount > 0 ? " and \(otherCount) more objects that" : ", which"
    throw StoreError(
      .foreignObject,
      "\(path): contains \(first)\(others) Concordance did not create; if it was added by mistake, remove it with "
        + "`sqlite3`, and keep other tables in another file; otherwise do not use the file")
  }

  /// Migrates the file to the current format, and records which file it is.
  func upgrade() throws {
    try pool.opened().writeWithoutTransaction { db in
      if try Int32.fetchOne(db, sql: "PRAGMA user_version") != FileFormat.currentVersion {
        try db.inTransaction(.immediate) {
          // Read again, because another process may have migrated the file while this one waited.
          let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          if version < FileFormat.currentVersion { try FileFormat.migrate(db, from: version) }
          return .commit
        }
      }
      if let identity { try SourceIdentity.update(db, fileNumber: Int64(bitPattern: identity.inode)) }
      JoinedLogWrites.begin(db)
    }
  }
}
