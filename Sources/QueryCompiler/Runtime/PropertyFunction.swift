import GRDB
import JSONText
import SQLiteAccess

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
final class PropertyFunction: SQLFunction {
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
      guard let slice = reading.value(in: body.bytes, try reader(arguments)) else { return result.setNull() }
      result.set(slice, encoding)
    } catch {
      result.set(error)
    }
  }

  private func reader(_ arguments: SQLArguments) throws -> CachedPropertyReader {
    let text = arguments[1]
    guard text.type == .text else { throw QueryRuntimeError.invalidPath("a property path is a string") }
    return try readers.value(for: arguments[from: 1]) {
      let string = text.string
      return CachedPropertyReader(PropertyReader(string.isEmpty ? PropertyPath([]) : try PropertyPath(string)))
    }
  }
}
