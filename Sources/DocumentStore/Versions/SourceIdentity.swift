import Foundation
public import GRDB
import JSONText
import SQLiteAccess
public import VersionVectors

/// The identity of a file in replications.
///
/// A file has a public id, the author of its versions, and a private id, which is part of the ids of its checkpoints. A
/// copy of a file must get new ids, because two files that write versions as the same author would overwrite each
/// other's changes. Copies are detected when they are opened for writing: the file stores its inode number, which a
/// copy does not have.
///
/// A stored version without a record in ``VersionRecords`` contains only its time. Its author is the public id that the
/// file had at that time: `former_uuids` lists earlier public ids, each with the last revision that was written with
/// it.
public struct SourceIdentity: Sendable {
  /// The author of new versions.
  public let publicID: SourceID
  /// An id that is never sent to other peers.
  public let privateID: String
  private let former: [(id: SourceID, last: UInt64)]

  /// Reads the identity of a file.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if it is missing or damaged.
  public init(_ db: Database) throws {
    guard let publicID = try SourceIdentity.text("uuid", db).flatMap(SourceIdentity.source),
      let privateID = try SourceIdentity.text("private_uuid", db), privateID.utf8.count == 32,
      let former = try SourceIdentity.text("former_uuids", db).flatMap(SourceIdentity.former)
    else {
      throw StoreError(.corrupt, "the identity of the file is missing or damaged; restore a copy of the file")
    }
    self.publicID = publicID
    self.privateID = privateID
    self.former = former
  }

  /// Returns the author of a version that this file wrote.
  ///
  /// - Complexity: O(n) in the number of earlier public ids.
  public func author(at time: UInt64) -> SourceID { former.first { time <= $0.last }?.id ?? publicID }

  /// Returns the last versions that this file wrote with its earlier public ids, in the order of their times. A later
  /// revision of a document includes them, because the file contained all revisions that were written with these ids
  /// when it was copied.
  ///
  /// - Parameters:
  ///   - time: the time of the revision.
  ///   - known: a time up to which the versions are already known.
  func earlierVersions(before time: UInt64, after known: UInt64) -> [Version] {
    if former.isEmpty { return [] }
    return former.compactMap { entry in
      entry.last > known && entry.last < time ? Version(time: entry.last, author: entry.id) : nil
    }
  }

  /// Returns the version of a revision that this file wrote.
  public func version(_ revision: Int64) -> Version {
    let time = min(max(UInt64(clamping: revision), 1), Version.maximumTime)
    // The time is in the valid range, so the fallback is never used.
    return Version(time: time, author: author(at: time)) ?? Version.first(author: publicID)
  }

  /// Gives the file a new identity if it is a copy. Call it when the file is opened for writing.
  static func update(_ db: Database, fileNumber: Int64) throws {
    guard try storedNumber(db) != fileNumber else { return }
    try db.inTransaction(.immediate) {
      // Read again, because another process may have changed it while this one waited.
      let stored = try storedNumber(db)
      if stored != fileNumber {
        if stored != nil { try replaceIdentity(db) }
        try db.execute(
          sql: "INSERT OR REPLACE INTO concordance_meta (key, value) VALUES ('file_number', ?)",
          arguments: [fileNumber])
      }
      return .commit
    }
  }

  private static func replaceIdentity(_ db: Database) throws {
    // A damaged identity is kept, so that verification reports it.
    guard let old = try text("uuid", db), source(old) != nil, let list = try text("former_uuids", db).flatMap(former)
    else { return }
    let last = try Int64.fetchOne(db, sql: "SELECT value FROM concordance_meta WHERE key = 'last_revision'") ?? 0
    var writer = JSONWriter()
    writer.array { writer in
      for entry in list + [(source(old) ?? .revisionTree, UInt64(clamping: last))] {
        writer.write(entry.id.bytes.map { String(format: "%02x", $0) }.joined())
        writer.write(Int64(clamping: entry.last))
      }
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO concordance_meta (key, value) VALUES ('former_uuids', ?)",
      arguments: [String(decoding: writer.bytes, as: UTF8.self)])
    for key in ["uuid", "private_uuid"] {
      try db.execute(
        sql: "UPDATE concordance_meta SET value = lower(hex(randomblob(16))) WHERE key = ?", arguments: [key])
    }
  }

  private static func storedNumber(_ db: Database) throws -> Int64? {
    try DatabaseValue.fetchOne(db, sql: "SELECT value FROM concordance_meta WHERE key = 'file_number'")
      .flatMap(Int64.fromDatabaseValue)
  }

  private static func text(_ key: String, _ db: Database) throws -> String? {
    let statement = try SQLStatement(cached: "SELECT value FROM concordance_meta WHERE key = ?", in: db)
    defer { statement.reset() }
    return try statement.withText(1, key) { try statement.step() ? statement.row.string(0) : nil }
  }

  private static func source(_ hex: String) -> SourceID? {
    let digits = Array(hex.utf8)
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return SourceID(bytes)
  }

  /// Parses a list of ids and revisions: `["0f…",1700000000000000000,…]`.
  private static func former(_ text: String) -> [(id: SourceID, last: UInt64)]? {
    if text == "[]" { return [] }
    let value = try? JSONParser.withShared { parser in JSONValue(try parser.parse(utf8: text)) }
    guard case .array(let items)? = value, items.count % 2 == 0 else { return nil }
    var list: [(id: SourceID, last: UInt64)] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard case .string(let hex) = items[index], let id = source(hex), case .int64(let last) = items[index + 1],
        last >= 0
      else { return nil }
      list.append((id, UInt64(last)))
    }
    return list
  }
}
