import Foundation
import GRDB
import JSONText
import QueryModel

@testable import QueryCompiler

/// A database in memory with the functions of queries.
struct TestConnection {
  let queue: DatabaseQueue

  init() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try QueryRuntime.register(on: $0) }
    queue = try DatabaseQueue(configuration: configuration)
  }

  /// Returns the value of an SQL expression.
  func value(_ sql: String, _ arguments: StatementArguments = []) throws -> DatabaseValue {
    try queue.read { try DatabaseValue.fetchOne($0, sql: "SELECT \(sql)", arguments: arguments) ?? .null }
  }

  /// Calls a function through SQL with arguments and a result in the exact encoding, and returns the result as JSON
  /// text.
  func call(_ name: String, _ arguments: [QueryValue]) throws -> String {
    // GRDB binds strings only up to the first U+0000, so they are passed as JSON.
    let marks = arguments.map { _ in "concordance_value(?, 'x')" }.joined(separator: ",")
    let bindings = StatementArguments(arguments.map { $0.json.map { "{\"x\":\($0.text)}" } ?? "{}" })
    return try value("\(name)(\(marks))", bindings).exactText
  }
}

extension QueryValue {
  /// Creates a value from JSON text or `MISSING`.
  init(test text: String) {
    self = text == "MISSING" ? .missing : Array(text.utf8).withUnsafeBytes { QueryValue(jsonText: $0) }
  }

  var testText: String { json?.text ?? "MISSING" }

  var bound: DatabaseValue {
    switch self {
    case .missing: .null
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .string(let string): string.databaseValue
    default: .init(value: Data((json?.text ?? "").utf8)) ?? .null
    }
  }
}

extension DatabaseValue {
  /// A value in the exact encoding as JSON text, or `MISSING`.
  var exactText: String {
    switch storage {
    case .null: "MISSING"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let string): JSONValue.string(string).text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    }
  }
}

extension QueryFunctions {
  /// Returns the function or operator with a name.
  static func named(_ name: String) -> ScalarFunction? {
    QueryFunction(named: name).flatMap { implementation(of: $0) } ?? all.first { $0.name == name }
  }
}
