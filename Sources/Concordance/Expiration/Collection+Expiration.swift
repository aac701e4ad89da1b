import DocumentStore
public import Foundation

extension Collection {
  /// Sets the time at which a document, or the tombstone of a deleted document, is purged.
  ///
  /// ```swift
  /// try sessions.setDocumentExpiration(id: "s1", expiration: Date(timeIntervalSinceNow: 3600))
  /// ```
  ///
  /// After that time, reads do not return the document. It is purged as if by ``purge(id:)``: it is removed from the
  /// collection and from every index, and listeners are called. Views contain its rows until then. If the database is
  /// open for writing, it is purged within milliseconds; otherwise it is purged the next time the database is opened
  /// for writing.
  ///
  /// Expirations that other processes set apply as well. A process notices such an expiration within a minute if the
  /// file already contains other expirations or if the process has listeners.
  ///
  /// Saving or deleting the document does not change its expiration; after a deletion it applies to the tombstone.
  /// Setting an expiration does not change the revision of the document and does not call listeners.
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - expiration: the time, rounded to milliseconds. A time in the past purges the document immediately; nil removes
  ///     the expiration.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the collection contains neither the document nor its tombstone.
  ///   - ``CBLError/invalidParameter`` if the time cannot be represented as 64-bit milliseconds since 1970.
  ///   - ``CBLError/notWriteable`` if the database is read-only.
  public func setDocumentExpiration(id: String, expiration: Date?) throws {
    let milliseconds = try expiration.map { try Collection.milliseconds($0) }
    let exists = try withPublicErrors {
      try engine.change(record) { try $0.documents.setExpiration(milliseconds, id: id) }
    }
    if !exists { throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)") }
  }

  /// Returns the time at which a document or tombstone expires. See ``setDocumentExpiration(id:expiration:)``.
  ///
  /// - Parameter id: the id of the document.
  /// - Returns: the time, or nil if the document has no expiration or does not exist.
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

  /// Returns a time in milliseconds since 1970.
  static func milliseconds(_ date: Date) throws -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard let milliseconds = Int64(exactly: milliseconds), milliseconds.magnitude <= DocumentExpiration.limit else {
      throw CBLError(
        CBLError.invalidParameter, "\(date.timeIntervalSince1970) s since 1970 is not a valid expiration time")
    }
    return milliseconds
  }
}
