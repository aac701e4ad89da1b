import DocumentStore

extension Database {
  /// Stores the content of a blob before a document refers to it.
  ///
  /// Saving a document stores its blobs, so this is only necessary if the document is created from JSON text. A stored
  /// blob that no document refers to is deleted by ``performMaintenance(type:)`` with ``MaintenanceType/compact``.
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
  ///   - ``CBLError/ioError`` if a stream fails, a file changes during the call, or the disk is full.
  ///   - ``CBLError/notWriteable`` and ``CBLError/busy`` as for ``Collection/save(document:)``.
  /// - Complexity: O(n) in the length. Files and streams are copied in chunks.
  public func saveBlob(blob: Blob) throws {
    try blob.prepare(for: self)
    try withPublicErrors {
      // Inside a batch, no savepoint is used, because creating one takes longer than storing a small blob. None is
      // needed, because a blob is stored completely or not at all.
      let wasInTransaction = try engine.store.writeInsideOpenTransaction { transaction in
        try blob.install(in: transaction, database: self)
        return true
      }
      if wasInTransaction == nil { try engine.write { try blob.install(in: $0, database: self) } }
    }
  }

  /// Returns the stored blob with the given digest.
  ///
  /// ```swift
  /// let picture = try database.getBlob(properties: ["@type": "blob", "digest": digest])
  /// ```
  ///
  /// - Parameter properties: the JSON form of a blob, such as ``Blob/properties``. The blob is found by its digest; the
  ///   content type is copied.
  /// - Returns: the blob, or nil if no blob with this digest is stored.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/invalidParameter`` if the dictionary is not the JSON form of a blob; see
  ///     ``Blob/isBlob(properties:)``.
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
