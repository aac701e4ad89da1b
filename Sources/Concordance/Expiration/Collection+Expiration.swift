import DocumentStore
public import Foundation

extension Collection {
  /// Sets the time at which a document, or the tombstone of a deleted one, is purged.
  ///
  /// ```swift
  /// try sessions.setDocumentExpiration(id: "s1", expiration: Date(timeIntervalSinceNow: 3600))
  /// ```
  ///
  /// From that time on the document is not returned any more. It is removed from the collection and every index, as by
  /// ``purge(id:)``, and listeners are called. While the database is open for writing, this happens within
  /// milliseconds; otherwise when it is opened next. An expiration that another process sets is noticed within a minute
  /// if the file already has others, or if there are listeners; otherwise that process purges the document, or the next
  /// process that opens the file.
  ///
  /// The expiration remains if the document is saved again or deleted (then it applies to the tombstone); a purge
  /// removes it. Setting it is not a change of the document.
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - expiration: the time, to the millisecond; a time in the past purges the document immediately, nil removes the
  ///     expiration.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if there is no such document or tombstone.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  public func setDocumentExpiration(id: String, expiration: Date?) throws {
    let milliseconds = try expiration.map { try Collection.milliseconds($0) }
    let isThere = try withPublicErrors {
      try engine.change(record) { try $0.documents.setExpiration(milliseconds, id: id) }
    }
    if !isThere { throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)") }
  }

  /// Returns the time at which a document or tombstone is purged.
  ///
  /// - Parameter id: the id of the document.
  /// - Returns: the time; nil if it has no expiration or does not exist.
  /// - Throws: ``CBLError/notOpen`` if the database is closed or the collection was deleted.
  public func getDocumentExpiration(id: String) throws -> Date? {
    try withPublicErrors {
      try engine.store.read { db in
        try CollectionCatalog.require(record, db)
        return try DocumentReader(record, db).expiration(id: id)
      }
      .map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
  }

  private static func milliseconds(_ date: Date) throws -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard let milliseconds = Int64(exactly: milliseconds) else {
      throw CBLError(CBLError.invalidParameter, "\(date.timeIntervalSince1970) s since 1970 is no time to expire at")
    }
    return milliseconds
  }
}
