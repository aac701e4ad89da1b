import DocumentStore

extension Database {
  /// Stores a blob before any document refers to it.
  ///
  /// Saving a document stores its blobs by itself. A blob that is stored alone is deleted by the next
  /// ``performMaintenance(type:)`` with ``MaintenanceType/compact``, unless a document refers to it by then.
  ///
  /// ```swift
  /// try database.saveBlob(blob: blob)
  /// let json = #"{"name":"Ghia","picture":\#(blob.toJSON())}"#
  /// try hotels.save(document: MutableDocument(id: "hotel_1", json: json))
  /// ```
  ///
  /// - Throws: ``CBLError``: ``CBLError/notFound`` where the content of the blob is nowhere, ``CBLError/ioError`` for a
  ///   stream that fails, a file that changes meanwhile and a full disk, ``CBLError/notWriteable``, ``CBLError/busy``.
  /// - Complexity: O(n) in the length, in little memory unless the content is in memory.
  public func saveBlob(blob: Blob) throws {
    try blob.prepare(for: self)
    try withPublicErrors {
      // In a batch without a savepoint, of which each costs more than a small blob: a blob is stored whole or not at all.
      let isDone = try engine.store.writeInsideOpenTransaction { transaction in
        try blob.install(in: transaction, database: self)
        return true
      }
      if isDone == nil { try engine.write { try blob.install(in: $0, database: self) } }
    }
  }

  /// The stored blob that properties of a document stand for.
  ///
  /// ```swift
  /// let picture = try database.getBlob(properties: ["@type": "blob", "digest": digest])
  /// ```
  ///
  /// - Parameter properties: as ``Blob/properties`` has them; the digest decides.
  /// - Returns: the blob, or nil when none with this digest is stored.
  /// - Throws: ``CBLError``: ``CBLError/invalidParameter`` for properties that are not those of a blob, see
  ///   ``Blob/isBlob(properties:)``; ``CBLError/notOpen``.
  /// - Complexity: O(log n) in the number of blobs.
  public func getBlob(properties: [String: Any]) throws -> Blob? {
    guard Blob.isBlob(properties: properties), let digest = properties[Blob.blobDigestProperty] as? String else {
      throw CBLError(
        CBLError.invalidParameter,
        "these are not the properties of a blob: \"\(Blob.typeProperty)\" must be \"\(Blob.blobType)\" and "
          + "\"\(Blob.blobDigestProperty)\" a string")
    }
    return try withPublicErrors {
      try engine.store.blobLength(digest: digest).map { length in
        Blob(
          digest: digest, length: UInt64(clamping: length), contentType: properties[Blob.blobContentType] as? String,
          database: self)
      }
    }
  }
}
