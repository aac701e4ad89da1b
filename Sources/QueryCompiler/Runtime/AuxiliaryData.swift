import GRDBSQLite

/// What a function made of a constant argument, kept by SQLite as long as the statement: sqlite3_set_auxdata.
enum AuxiliaryData {
  /// The object that was kept with an argument, or nil. Every function keeps objects of one type alone.
  @inline(__always)
  static func object<T: AnyObject>(_ type: T.Type, _ context: OpaquePointer?, _ index: Int32) -> T? {
    sqlite3_get_auxdata(context, index).map { Unmanaged<T>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Keeps an object with an argument. SQLite lets go of it at once where the argument is no constant.
  static func keep(_ object: AnyObject, _ context: OpaquePointer?, _ index: Int32) {
    sqlite3_set_auxdata(context, index, Unmanaged.passRetained(object).toOpaque()) { pointer in
      if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
  }
}
