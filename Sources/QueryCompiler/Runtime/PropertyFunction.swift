import GRDBSQLite
import JSONText

/// `concordance_value(body, path)` and `concordance_key(body, path)`: a property of a document, whose JSON text is the first
/// argument, exactly or as a sort key. The empty path is the document. Of NULL (a join without a partner) it is MISSING.
///
/// They read text and blobs alike, so `concordance_value(value, path)` reads inside an array or object that another function
/// made; a string must not be handed to them, for it would be taken for JSON.
///
/// `concordance_member(value, path)` is the same inside any value that is encoded exactly. Of what is no array or object it is
/// MISSING.
///
/// One object is made for each function of each connection, which belongs to one thread at a time.
final class PropertyFunction {
  private let encoding: SQLEncoding
  /// Whether only arrays and objects have properties, so that a string is not read as JSON.
  private let readsBlobsOnly: Bool
  private let readers = PreparedArguments<CachedPropertyReader>()
  private var reading = DocumentPropertyCache()

  private init(_ encoding: SQLEncoding, readsBlobsOnly: Bool = false) {
    self.encoding = encoding
    self.readsBlobsOnly = readsBlobsOnly
  }

  /// Adds the functions to a connection.
  ///
  /// - Returns: a code of SQLite.
  static func register(on connection: OpaquePointer, flags: Int32) -> Int32 {
    let functions = [
      ("concordance_value", PropertyFunction(.exact)), ("concordance_key", PropertyFunction(.sortKey)),
      ("concordance_member", PropertyFunction(.exact, readsBlobsOnly: true)),
    ]
    for (name, function) in functions {
      let code = sqlite3_create_function_v2(
        connection, name, 2, flags | SQLITE_DETERMINISTIC, Unmanaged.passRetained(function).toOpaque(),
        { context, count, arguments in
          guard let owner = sqlite3_user_data(context) else { return }
          Unmanaged<PropertyFunction>.fromOpaque(owner).takeUnretainedValue()
            .call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
        }, nil, nil,
        // SQLite calls this after a failure as well.
        { owner in if let owner { Unmanaged<PropertyFunction>.fromOpaque(owner).release() } })
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  private func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    let result = SQLResult(context: context)
    let body = SQLArgument(handle: arguments[0])
    let type = body.type
    guard type == SQLITE_BLOB || type == SQLITE_TEXT && !readsBlobsOnly else { return sqlite3_result_null(context) }
    do {
      guard let slice = reading.value(in: body.bytes, try reader(arguments)) else {
        return sqlite3_result_null(context)
      }
      result.set(slice, encoding)
    } catch {
      result.set(error)
    }
  }

  private func reader(_ arguments: UnsafeBufferPointer<OpaquePointer?>) throws -> CachedPropertyReader {
    let text = SQLArgument(handle: arguments[1])
    guard text.type == SQLITE_TEXT else { throw QueryRuntimeError.invalidPath("a property path is a string") }
    return try readers.value(for: arguments[1...1]) {
      let string = String(decoding: text.bytes, as: UTF8.self)
      return CachedPropertyReader(PropertyReader(string.isEmpty ? PropertyPath([]) : try PropertyPath(string)))
    }
  }
}
