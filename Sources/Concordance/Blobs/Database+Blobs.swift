import DocumentStore

extension Database {
  /// Stores the content of a blob before a document refers to it.
  ///
  /// Saving a document stores its blobs automatically. A blob without a document is deleted by the next
  /// ``performMaintenance(type:)`` with ``MaintenanceType/compact``.
  ///
  /// ```swift
  /// try database.saveBlob(blob: blob)
  /// let json = #"{"name":"Ghia","picture":\#(blob.toJSON())}"#
  /// try hotels.save(document: MutableDocument(id: "hotel_1", json: json))
  /// ```
  ///
  /// - Parameter blob: the blob.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/notFound`` if the content cannot be found.
  ///   - ``CBLError/ioError`` for a stream that fails, a file that changes meanwhile, or a full disk.
  ///   - ``CBLError/notWriteable`` and ``CBLError/busy`` as ``Collection/save(document:)``.
  /// - Complexity: O(n) in the length, in constant memory unless the content is in memory.
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

  /// Returns the stored blob with a digest.
  ///
  /// ```swift
  /// let picture = try database.getBlob(properties: ["@type": "blob", "digest": digest])
  /// ```
  ///
  /// - Parameter properties: an object like ``Blob/properties``; only the digest matters.
  /// - Returns: the blob; nil if no blob with this digest is stored.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` for an object that is not a blob, see ``Blob/isBlob(properties:)``.
  ///   - ``CBLError/notOpen`` if the database is closed.
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
