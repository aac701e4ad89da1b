public import GRDBSQLite

/// Parameters are numbered from 1. A value remains bound until it is replaced.
extension SQLStatement {
  /// Binds bytes as text, without a copy. The memory must stay valid until the statement is reset.
  @inlinable
  public func bind(_ index: Int32, text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress else {
      // A null pointer would bind NULL instead of an empty string.
      sqlite3_bind_text64(handle, index, "", 0, SQLiteMemory.transient, UInt8(SQLITE_UTF8))
      return
    }
    sqlite3_bind_text64(
      handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil, UInt8(SQLITE_UTF8))
  }

  /// Binds bytes as a blob, without a copy. The memory must stay valid until the statement is reset.
  @inlinable
  public func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
    sqlite3_bind_blob64(handle, index, blob.baseAddress, UInt64(blob.count), nil)
  }

  /// Binds bytes as text or as a blob. SQLite copies them.
  public func bind(_ index: Int32, copying bytes: [UInt8], asText: Bool) {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else {
        if asText { bind(index, text: buffer) } else { sqlite3_bind_zeroblob(handle, index, 0) }
        return
      }
      if asText {
        sqlite3_bind_text64(
          handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), SQLiteMemory.transient,
          UInt8(SQLITE_UTF8))
      } else {
        sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), SQLiteMemory.transient)
      }
    }
  }

  /// Binds an object that the library's functions and virtual tables retrieve by its type; in SQL, the value is NULL.
  /// The statement retains the object until another value is bound.
  ///
  /// See <https://www.sqlite.org/bindptr.html>.
  public func bind(_ index: Int32, object: AnyObject, type: StaticString) {
    sqlite3_bind_pointer(
      handle, index, Unmanaged.passRetained(object).toOpaque(), SQLiteMemory.characters(of: type)
    ) { pointer in
      if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }

  /// Binds a number.
  @inlinable
  public func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

  /// Binds NULL.
  @inlinable
  public func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds an integer.
  @inlinable
  public func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  /// Binds an integer or NULL.
  @inlinable
  public func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  /// Binds a string, calls `body`, and unbinds it.
  @inlinable
  public func withText<T>(_ index: Int32, _ string: String, _ body: () throws -> T) rethrows -> T {
    var string = string
    return try string.withUTF8 { bytes in
      bind(index, text: UnsafeRawBufferPointer(bytes))
      defer { sqlite3_bind_null(handle, index) }
      return try body()
    }
  }
}
