extension Database {
  /// Changes the encryption key. This library does not support encryption; the method exists so that programs that were
  /// written for Couchbase Lite compile.
  ///
  /// - Parameter key: nil, which does nothing, because the database is not encrypted.
  /// - Throws: ``CBLError/unsupportedEncryption`` if the key is not nil, as when a database is opened with a key.
  public func changeEncryptionKey(_ key: EncryptionKey?) throws {
    guard key == nil else { throw Database.encryptionError(name) }
  }

  /// Returns the error for a key.
  ///
  /// - Parameter database: the path or the name of the database.
  static func encryptionError(_ database: String) -> CBLError {
    CBLError(
      CBLError.unsupportedEncryption,
      "\(database): this library does not support encryption; remove encryptionKey, and use an encrypted disk")
  }
}
