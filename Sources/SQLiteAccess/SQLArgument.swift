public import GRDBSQLite

/// An argument of an SQL function call, valid only during the call.
public struct SQLArgument {
  @usableFromInline let handle: OpaquePointer?

  @inlinable
  init(handle: OpaquePointer?) { self.handle = handle }

  /// The type of the value.
  @inlinable
  public var type: SQLType { SQLType(sqlite3_value_type(handle)) }

  /// The bytes of a text or blob value. SQLite converts a number to text.
  @inlinable
  public var bytes: UnsafeRawBufferPointer {
    // SQLite may convert the value when it returns the pointer, so the length is read after it.
    let start = sqlite3_value_blob(handle)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(handle)))
  }

  /// The text in ``bytes``.
  @inlinable
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as an integer; 0 for NULL.
  @inlinable
  public var int64: Int64 { sqlite3_value_int64(handle) }

  /// The value as a number; 0 for NULL.
  @inlinable
  public var double: Double { sqlite3_value_double(handle) }

  /// The object of this type bound by ``SQLStatement/bind(_:object:type:)``; nil for any other value.
  public func object(_ type: StaticString) -> AnyObject? {
    sqlite3_value_pointer(handle, SQLiteMemory.characters(of: type)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

/// The arguments of an SQL function call, valid only during the call.
public struct SQLArguments: RandomAccessCollection {
  @usableFromInline let handles: UnsafeBufferPointer<OpaquePointer?>

  @inlinable
  init(_ handles: UnsafeBufferPointer<OpaquePointer?>) { self.handles = handles }

  @inlinable
  init(_ start: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    handles = UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count))
  }

  @inlinable
  public var startIndex: Int { 0 }

  @inlinable
  public var endIndex: Int { handles.count }

  @inlinable
  public subscript(index: Int) -> SQLArgument { SQLArgument(handle: handles[index]) }

  /// The arguments from the given index onwards.
  @inlinable
  public subscript(from index: Int) -> SQLArguments {
    SQLArguments(UnsafeBufferPointer(rebasing: handles[index...]))
  }
}
