import GRDB
import JSONText
import SQLiteAccess

/// `concordance_value(body, path)` and `concordance_key(body, path)`: a property of the document whose JSON text is the
/// first argument, in the exact encoding or as a sort key. The empty path is the document. For NULL (a left join
/// without a match) the result is MISSING.
///
/// They accept text and blobs, so `concordance_value(value, path)` also reads a member of an array or object that
/// another function returned. The argument must not be a string in the exact encoding, which would be read as JSON.
///
/// `concordance_member(value, path)` is a member of any value in the exact encoding. For a value that is not an array
/// or object the result is MISSING.
///
/// Each function of each connection has an instance, which is used by one thread at a time.
final class PropertyFunction: SQLFunction {
  private let encoding: SQLEncoding
  /// Whether only arrays and objects have properties, so that a string is not read as JSON.
  private let readsBlobsOnly: Bool
  private let readers = PreparedArguments<CachedPropertyReader>()
  private var cache = DocumentPropertyCache()

  private init(_ encoding: SQLEncoding, readsBlobsOnly: Bool = false) {
    self.encoding = encoding
    self.readsBlobsOnly = readsBlobsOnly
  }

  /// Adds the functions to a connection.
  static func register(on db: Database) throws {
    try db.addFunction("concordance_value", arity: 2, PropertyFunction(.exact))
    try db.addFunction("concordance_key", arity: 2, PropertyFunction(.sortKey))
    try db.addFunction("concordance_member", arity: 2, PropertyFunction(.exact, readsBlobsOnly: true))
  }

  override func call(_ arguments: SQLArguments, _ result: SQLResult) {
    let body = arguments[0]
    let type = body.type
    guard type == .blob || type == .text && !readsBlobsOnly else { return result.setNull() }
    do {
      guard let slice = cache.value(in: body.bytes, try reader(arguments)) else { return result.setNull() }
      result.set(slice, encoding)
    } catch {
      result.set(error)
    }
  }

  private func reader(_ arguments: SQLArguments) throws -> CachedPropertyReader {
    let text = arguments[1]
    guard text.type == .text else { throw QueryRuntimeError.invalidPath("a property path must be a string") }
    return try readers.value(for: arguments[from: 1]) {
      let string = text.string
      return CachedPropertyReader(PropertyReader(string.isEmpty ? PropertyPath([]) : try PropertyPath(string)))
    }
  }
}
