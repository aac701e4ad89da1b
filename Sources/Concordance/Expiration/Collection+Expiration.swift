import DocumentStore
public import Foundation

extension Collection {
  /// Sets when a document, or the tombstone of a deleted one, is purged.
  ///
  /// ```swift
  /// try sessions.setDocumentExpiration(id: "s1", expiration: Date(timeIntervalSinceNow: 3600))
  /// ```
  ///
  /// From that time on nobody sees the document any more. It is removed with its place in every index, as by
  /// ``purge(id:)``, and listeners hear of it.
  /// While the database is open for writing this happens within milliseconds; otherwise when it is next opened. An
  /// expiration that another process sets is found within a minute where the file has others already, or somebody listens
  /// to changes; otherwise that process purges the document, or whoever opens the file next.
  ///
  /// The expiration stays when the document is saved again, and when it is deleted (then the tombstone goes); it is gone
  /// with a purge. Setting it is no change of the document.
  ///
  /// - Parameters:
  ///   - id: the document's id.
  ///   - expiration: when, to the millisecond; a time that has passed purges it at once, nil never.
  /// - Throws: ``CBLError``: ``CBLError/notFound`` when there is no such document or tombstone, ``CBLError/notWriteable``.
  public func setDocumentExpiration(id: String, expiration: Date?) throws {
    let milliseconds = try expiration.map { try Collection.milliseconds($0) }
    let isThere = try withPublicErrors {
      try engine.change(record) { try $0.documents.setExpiration(milliseconds, id: id) }
    }
    if !isThere { throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in \(fullName)") }
  }

  /// When a document or tombstone is purged; nil for never, or if there is none.
  ///
  /// - Throws: ``CBLError``.
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
