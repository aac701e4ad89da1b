public import GRDBSQLite

/// The result of an SQL function.
public struct SQLResult {
  @usableFromInline let context: OpaquePointer?

  @inlinable
  init(context: OpaquePointer?) { self.context = context }

  /// Sets NULL.
  @inlinable
  public func setNull() { sqlite3_result_null(context) }

  /// Sets an integer.
  @inlinable
  public func set(_ value: Int64) { sqlite3_result_int64(context, value) }

  /// Sets a number. SQLite turns NaN into NULL.
  @inlinable
  public func set(_ value: Double) { sqlite3_result_double(context, value) }

  /// Sets the result to the value of an argument, unchanged.
  @inlinable
  public func set(_ argument: SQLArgument) { sqlite3_result_value(context, argument.handle) }

  /// Sets a text value, which SQLite copies.
  @inlinable
  public func set(text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      // A null pointer would set NULL.
      sqlite3_result_text64(context, "", 0, SQLiteMemory.transient, UInt8(SQLITE_UTF8))
      return
    }
    sqlite3_result_text64(context, start, UInt64(text.count), SQLiteMemory.transient, UInt8(SQLITE_UTF8))
  }

  /// Sets a blob value, which SQLite copies.
  @inlinable
  public func set(blob: UnsafeRawBufferPointer) {
    sqlite3_result_blob64(context, blob.baseAddress, UInt64(blob.count), SQLiteMemory.transient)
  }

  /// Sets a blob of constant bytes.
  @inlinable
  public func set(constantBlob: StaticString) {
    // Static memory: SQLite neither copies nor frees it.
    sqlite3_result_blob64(context, constantBlob.utf8Start, UInt64(constantBlob.utf8CodeUnitCount), nil)
  }

  /// Sets a text value that `fill` writes. SQLite frees the memory.
  ///
  /// - Parameters:
  ///   - capacity: the maximum number of bytes that `fill` writes.
  ///   - fill: writes the text and returns the number of bytes written.
  @inlinable
  public func setText(capacity: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard let memory = sqlite3_malloc64(UInt64(max(capacity, 1))) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let count = fill(memory.assumingMemoryBound(to: UInt8.self))
    sqlite3_result_text64(
      context, memory.assumingMemoryBound(to: CChar.self), UInt64(count), sqlite3_free, UInt8(SQLITE_UTF8))
  }

  /// Ends the statement with an error.
  public func set(errorMessage: String) {
    var message = errorMessage
    message.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_result_error(context, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
  }
}
