import GRDBSQLite
import JSONText

/// `concordance_value(body, path)` and `concordance_key(body, path)`: a property of a document, whose JSON text is the first
/// argument, exactly or as a sort key. The empty path is the document. Of NULL (a join without a partner) it is MISSING.
///
/// They read text and blobs alike, so `concordance_value(value, path)` reads inside an array or object that another function
/// made; a string must not be handed to them, for it would be taken for JSON.
enum PropertyCallbacks {
  typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

  static func exact(_ context: OpaquePointer?, _ arguments: Arguments?) {
    run(context, arguments, .exact)
  }

  static func sortKey(_ context: OpaquePointer?, _ arguments: Arguments?) {
    run(context, arguments, .sortKey)
  }

  /// `concordance_member(value, path)`: the same inside any value that is encoded exactly. Of what is no array or object it
  /// is MISSING.
  static func member(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments, SQLArgument(handle: arguments[0]).type == SQLITE_BLOB else {
      sqlite3_result_null(context)
      return
    }
    run(context, arguments, .exact)
  }

  @inline(__always)
  private static func run(_ context: OpaquePointer?, _ arguments: Arguments?, _ encoding: SQLEncoding) {
    guard let arguments else { return }
    let result = SQLResult(context: context)
    do {
      let reader = try reader(context, arguments)
      let body = SQLArgument(handle: arguments[0])
      guard body.type == SQLITE_TEXT || body.type == SQLITE_BLOB, let slice = reader.value(in: body.bytes) else {
        sqlite3_result_null(context)
        return
      }
      result.set(slice, encoding)
    } catch {
      result.set(error)
    }
  }

  private static func reader(_ context: OpaquePointer?, _ arguments: Arguments) throws -> PropertyReader {
    if let known = AuxiliaryData.object(PropertyReader.self, context, 1) { return known }
    let text = SQLArgument(handle: arguments[1])
    guard text.type == SQLITE_TEXT else { throw QueryRuntimeError.invalidPath("a property path is a string") }
    let string = String(decoding: text.bytes, as: UTF8.self)
    let reader = PropertyReader(string.isEmpty ? PropertyPath([]) : try PropertyPath(string))
    AuxiliaryData.keep(reader, context, 1)
    return reader
  }
}
