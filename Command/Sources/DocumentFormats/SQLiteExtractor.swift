import Foundation
import SQLiteAccess

/// Extracts SQLite files: a part with the schema, and parts with the text columns of each table.
///
/// Only tables are read. Views, triggers, generated columns with functions and virtual tables, which could run code,
/// are left out. The file is opened as immutable, so no lock is taken, and changes in a write-ahead log are not seen.
enum SQLiteExtractor {
  /// The number of bytes of text after which a table is continued in another part.
  private static let partSize = 1 << 20
  /// The maximum size in bytes of a value; longer ones are truncated.
  private static let valueSize = 1 << 20

  /// The first bytes of a SQLite file.
  static let signature = Array("SQLite format 3\u{0}".utf8)

  /// The version of SQLite; nil if it cannot be determined.
  static var version: String? {
    // A query without a file fails only if memory is exhausted.
    guard let connection = try? DirectConnection(":memory:", .reading),
      let statement = try? SQLStatement("SELECT sqlite_version()", on: connection), (try? statement.step()) == true
    else { return nil }
    return statement.row.string(0)
  }

  static func extract(path: String, _ extraction: Extraction) throws {
    do {
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
      let connection = try DirectConnection("file:\(escaped)?immutable=1", isURI: true, .reading)
      defer { connection.close() }
      try UntrustedSchemaSettings.apply(to: connection)
      let tables = try schema(of: connection, extraction)
      for table in tables { try extractTable(table, on: connection, extraction) }
    } catch let failure as ExtractionFailure {
      throw failure
    } catch {
      throw ExtractionFailure(.damaged, "SQLite: \(error)")
    }
  }

  /// Emits the statements that created the schema. Returns the names of the tables.
  private static func schema(
    of connection: DirectConnection, _ extraction: Extraction
  ) throws -> [String] {
    let statement = try SQLStatement(
      "SELECT type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\', name, sql FROM sqlite_schema",
      on: connection)
    var tables: [String] = []
    var text = ""
    var fault: (any Error)?
    while true {
      do {
        guard try statement.step() else { break }
      } catch {
        fault = error
        break
      }
      if statement.row.int64(0) != 0 { tables.append(statement.row.string(1)) }
      let sql = statement.row.string(2)
      guard !sql.isEmpty, text.utf8.count + sql.utf8.count < partSize else { continue }
      text += sql + ";\n"
    }
    if let fault {
      guard !text.isEmpty else { throw fault }
      extraction.skip(ExtractionFailure(.damaged, member: "sqlite_schema", "SQLite: \(fault)"))
    }
    try extraction.emit(part(Array(text.utf8), location: nil))
    return tables
  }

  private static func extractTable(
    _ table: String, on connection: DirectConnection, _ extraction: Extraction
  ) throws {
    let statement: SQLStatement
    let columns: [String]
    do {
      columns = try columnNames(of: table, on: connection).map(quoted)
      guard !columns.isEmpty else { return }
      statement = try SQLStatement("SELECT \(columns.joined(separator: ", ")) FROM \(quoted(table))", on: connection)
    } catch {
      return extraction.skip(ExtractionFailure(.damaged, member: table, "\(error)"))
    }
    var text: [UInt8] = []
    var number = 1
    func emit() throws {
      guard !text.isEmpty else { return }
      let name = number == 1 ? table : "\(table):\(number)"
      try extraction.emit(part(text, location: PartLocation(.table, number, name: name)))
      number += 1
      text.removeAll(keepingCapacity: true)
    }
    /// Returns whether there is another row. An error, such as a corrupt page, ends the table: the rows before it are
    /// kept, and the other tables are still read.
    func hasRow() -> Bool {
      do {
        return try statement.step()
      } catch {
        extraction.skip(ExtractionFailure(.damaged, member: table, "SQLite: \(error)"))
        return false
      }
    }
    while hasRow() {
      let start = text.count
      for column in 0..<Int32(clamping: columns.count) where statement.row.type(column) == .text {
        guard let value = statement.row.bytes(column), !value.isEmpty else { continue }
        if text.count > start { text.append(UInt8(ascii: "\t")) }
        // Line n of a part is its row n.
        text += value.prefix(valueSize).map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? 0x20 : $0 }
      }
      text.append(UInt8(ascii: "\n"))
      try extraction.count(text.count - start)
      if text.count >= partSize { try emit() }
    }
    try emit()
  }

  /// Returns the columns with stored values. Generated columns, which are hidden, may call functions.
  private static func columnNames(of table: String, on connection: DirectConnection) throws -> [String] {
    let statement = try SQLStatement("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0", on: connection)
    return try statement.withText(1, table) {
      var names: [String] = []
      while try statement.step() { names.append(statement.row.string(0)) }
      return names
    }
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  private static func part(_ text: [UInt8], location: PartLocation?) -> ExtractedPart {
    ExtractedPart(format: ExtractedFormat.sqlite.rawValue, location: location, content: text)
  }
}
