import Foundation

/// The statements that a server has executed, in its log (`log_destination=csvlog`), from the creation of this value
/// on.
public struct StatementLog: Sendable {
  private let server: TemporaryCluster
  private let path: String
  private let start: UInt64

  init(_ server: TemporaryCluster) throws {
    self.server = server
    path = server.folder + "/log-csv/all.csv"
    start = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64) ?? 0
  }

  /// A statement with the texts of its parameters, from `$1`.
  public struct Statement: Sendable {
    public let text: String
    public let parameters: [String]

    public init(_ text: String, _ parameters: [String]) {
      self.text = text
      self.parameters = parameters
    }
  }

  /// Returns what Citus would refuse or send to several servers, of the statements in a database.
  ///
  /// - Parameter url: the address of the database, of which no connection is executing statements.
  public func violations(_ url: String) throws -> [String] {
    var rules = CitusRules()
    let statements = try statements(url)
    guard statements.contains(where: { $0.text.contains("shard = $") }) else { return ["no statement was logged"] }
    return statements.flatMap { rules.violations($0) }
  }

  /// Returns the statements that were executed in a database, in their order.
  public func statements(_ url: String) throws -> [Statement] {
    guard let database = URLComponents(string: url)?.path.dropFirst(), let file = FileHandle(forReadingAtPath: path)
    else {
      return []
    }
    defer { try? file.close() }
    // The process that writes the log may be behind.
    let marker = "end of \(UUID().uuidString)"
    let deadline = Date(timeIntervalSinceNow: 20)
    try server.run("psql", ["-q", "-c", "SELECT '\(marker)'", url])
    var data = Data()
    repeat {
      try file.seek(toOffset: start)
      data = try file.readToEnd() ?? Data()
    } while data.range(of: Data(marker.utf8)) == nil && Date() < deadline
    return StatementLog.rows(data).filter { $0.count > 14 && $0[2] == database }.compactMap { row in
      guard let text = StatementLog.text(row[13]) else { return nil }
      return Statement(text, StatementLog.parameters(row[14]))
    }
  }

  /// Returns the statement of a message such as `execute NAME: SELECT …`.
  private static func text(_ message: String) -> String? {
    guard message.hasPrefix("execute ") || message.hasPrefix("statement: "), let colon = message.firstRange(of: ": ")
    else { return nil }
    return String(message[colon.upperBound...])
  }

  /// Returns the values in a text such as `parameters: $1 = '7', $2 = NULL`.
  static func parameters(_ detail: String) -> [String] {
    var values: [String] = []
    var rest = detail[...]
    while let start = rest.firstRange(of: "$\(values.count + 1) = ") {
      rest = rest[start.upperBound...]
      guard rest.first == "'" else {
        values.append(String(rest.prefix { $0 != "," }))
        continue
      }
      rest = rest.dropFirst()
      var value = ""
      while let quote = rest.firstIndex(of: "'") {
        value += rest[..<quote]
        rest = rest[rest.index(after: quote)...]
        guard rest.first == "'" else { break }
        value += "'"
        rest = rest.dropFirst()
      }
      values.append(value)
    }
    return values
  }

  /// Returns the fields of the rows of CSV.
  static func rows(_ data: Data) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    let bytes = Array(data)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        if isQuoted, position < bytes.count, bytes[position] == byte {
          field.append(byte)
          position += 1
        } else {
          isQuoted.toggle()
        }
      } else if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") {
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
        if byte == UInt8(ascii: "\n") {
          rows.append(row)
          row = []
        }
      } else {
        field.append(byte)
      }
    }
    return rows
  }
}
