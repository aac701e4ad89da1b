import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// A request with its decoded parameters. Parameters that the endpoint does not define are rejected because a
/// misspelled parameter would otherwise be ignored silently.
struct RequestInput: Sendable {
  let server: ServerState
  /// The name of the operation in the OpenAPI document.
  let operation: String
  let method: HTTPRequest.Method
  let headers: HTTPFields
  let variables: [String: String]
  private let query: [String: String]
  /// The body, which does not exceed the size limit.
  let body: ByteBuffer
  /// The memory of the body, which counts as used until the request ends.
  private let reservation: MemoryBudget.Reservation?
  /// The connection.
  let channel: any Channel

  /// The names in the description of an endpoint, prepared for all its requests.
  struct Names: Sendable {
    let operation: String
    /// The variables in the path.
    let variables: [String]
    /// The parameters of the query string.
    let parameters: [String]
    /// Whether names that begin with `$` are parameters of an SQL++ query.
    let hasQueryParameters: Bool
    let hasBody: Bool
    /// The maximum size of the body in bytes, if it is lower than the limit of the server.
    let bodyLimit: Int

    init(_ endpoint: Endpoint) {
      operation = endpoint.operation
      variables = endpoint.variables
      parameters = endpoint.parameters.filter { !$0.isHeader }.map(\.name)
      hasQueryParameters = endpoint.hasQueryParameters
      hasBody = endpoint.body != nil
      bodyLimit = endpoint.bodyLimit
    }
  }

  init(_ request: Request, _ context: ServerContext, _ names: Names, _ server: ServerState) async throws {
    self.server = server
    operation = names.operation
    method = request.method
    channel = context.channel
    headers = request.headers
    var variables: [String: String] = [:]
    for name in names.variables {
      guard let value = context.parameters.get(name).flatMap({ $0.contains("%") ? $0.removingPercentEncoding : $0 })
      else {
        throw Problem.invalidParameter(name, "the percent encoding in the path is malformed")
      }
      variables[name] = value
    }
    self.variables = variables
    query = try RequestInput.query(request.uri.query ?? "", names)
    (body, reservation) =
      try await names.hasBody
      ? RequestBody(request, channel, limit: min(server.options.limits.bodySize, names.bodyLimit)).read(server.bodies)
      : (ByteBuffer(), nil)
  }

  /// Returns a decoded part of a query string; nil if its percent encoding is malformed.
  private static func decoded(_ part: Substring) -> String? {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(part) }
    return part.replacing("+", with: " ").removingPercentEncoding
  }

  private static func query(_ text: String, _ names: Names) throws -> [String: String] {
    var result: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map(RequestInput.decoded)
      guard let first = decoded.first, let name = first, let value = decoded.count > 1 ? decoded[1] : "" else {
        throw Problem(.badRequest, "invalid_parameter", "the percent encoding of the query string is malformed")
      }
      let isQueryParameter = names.hasQueryParameters && name.hasPrefix("$") && name.utf8.count > 1
      guard isQueryParameter || names.parameters.contains(name) else {
        let known = names.parameters + (names.hasQueryParameters ? ["$NAME"] : [])
        let list = known.isEmpty ? "this endpoint has none" : "the parameters are \(known.joined(separator: ", "))"
        throw Problem.invalidParameter(name, "unknown parameter; \(list)")
      }
      guard result.updateValue(value, forKey: name) == nil else {
        throw Problem.invalidParameter(name, "the parameter is given more than once")
      }
    }
    return result
  }
}

extension RequestInput {
  func has(_ name: String) -> Bool { query[name] != nil }

  func string(_ name: String) -> String? { query[name] }

  func required(_ name: String) throws -> String {
    guard let value = query[name] else { throw Problem.invalidParameter(name, "the parameter is missing") }
    return value
  }

  /// Returns the elements of a comma-separated list. A list without elements is an error, because it would be ignored.
  func list(_ name: String) throws -> [String]? {
    guard let text = query[name] else { return nil }
    let elements = text.split(separator: ",").map { String($0) }
    guard !elements.isEmpty else {
      throw Problem.invalidParameter(name, "the list is empty; leave out the parameter")
    }
    return elements
  }

  func count(_ name: String, default value: Int, limit: Int = .max) throws -> Int {
    guard let text = query[name] else { return min(value, limit) }
    guard let count = Int(text), count >= 0 else {
      throw Problem.invalidParameter(name, "expected a whole number of 0 or more, not \"\(text.prefix(40))\"")
    }
    guard count <= limit else { throw Problem.invalidParameter(name, "at most \(limit) on this server") }
    return count
  }

  func number(_ name: String) throws -> Double? {
    guard let text = query[name] else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw Problem.invalidParameter(name, "expected a number, not \"\(text.prefix(40))\"")
    }
    return number
  }

  func boolean(_ name: String, default value: Bool) throws -> Bool {
    switch query[name] {
    case nil: return value
    case "true": return true
    case "false": return false
    case .some(let text):
      throw Problem.invalidParameter(name, "expected true or false, not \"\(text.prefix(40))\"")
    }
  }

  /// Returns the values of an SQL++ query's parameters: `$name=3`. A value that is not JSON is a string.
  func queryParameters() throws -> Concordance.Parameters? {
    let given = query.filter { $0.key.hasPrefix("$") }
    guard !given.isEmpty else { return nil }
    let parameters = Concordance.Parameters()
    for (name, text) in given {
      // An error means that the text is a string.
      let value = (try? JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }) ?? .string(text)
      try parameters.set(value, forName: String(name.dropFirst()))
    }
    return parameters
  }

  /// Returns the body as text.
  func bodyText() throws -> String {
    guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
      throw Problem(.badRequest, "invalid_json", "the body is not UTF-8")
    }
    return text
  }

  /// Returns the members of the JSON object in the body.
  func bodyObject() throws -> [JSONMember] {
    let text = try bodyText()
    let value: JSONValue
    do {
      value = try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
    } catch let error as JSONError {
      let reason = error.description.trimmingPrefix(#/not? JSON: /#)
      throw Problem(
        .badRequest, "invalid_json", "the body is not valid JSON: \(reason)", range: error.offset.map { $0..<$0 })
    }
    if case .object(let members) = value { return members }
    let type =
      switch value {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .boolean: "a boolean"
      case .null: "null"
      case .int64, .uint64, .double: "a number"
      }
    throw Problem(.badRequest, "invalid_json", "the body is \(type); send an object")
  }
}

extension RequestInput {
  /// Returns the database named in the path.
  func database() throws -> Database {
    let name = variables["database"] ?? ""
    guard let database = server.databases[name] else {
      let names = server.databases.keys.sorted().joined(separator: ", ")
      throw Problem.notFound("there is no database \"\(name)\"; the databases are \(names)")
    }
    if database.isFileReplaced { throw Problem.replaced(database) }
    return database
  }

  /// Runs `body` with the collection named in the path, on one of the database's threads.
  func withCollection<T: Sendable>(
    _ body: @escaping @Sendable (Concordance.Collection) throws -> T
  ) async throws -> T {
    let name = variables["collection"] ?? ""
    let collections = server.collections
    return try await database().async.perform { database in
      try collections.with(name, in: database, body)
    }
  }

  /// Returns the collection named in the path after checking that it exists.
  func withExistingCollection() async throws -> Concordance.Collection {
    try await withCollection { collection in
      // Throws an error if the collection was deleted.
      _ = try collection.indexes()
      return collection
    }
  }

  /// Runs `body`. If it fails because the collection named in the path was deleted, the error is that of a request for
  /// a collection that does not exist.
  func reportingDeletedCollection<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error as CBLError {
      _ = try await withExistingCollection()
      throw error
    }
  }

  /// Runs `body` with the collection named in the path, in a transaction on the writing thread, so that requests
  /// waiting for another writer do not occupy threads that searches need. `body` must make only one change, because
  /// changes are not rolled back if it throws an error.
  func withCollectionForWriting<T: Sendable>(
    _ body: @escaping @Sendable (Concordance.Collection) throws -> T
  ) async throws -> T {
    let name = variables["collection"] ?? ""
    let (collections, database) = (server.collections, try database())
    // The result is unwrapped outside the batch, which would wrap errors thrown by the block.
    return try await database.async.inBatch {
      Swift.Result { try collections.with(name, in: database, body) }
    }.get()
  }

  static func collection(named name: String, in database: Database) throws -> Concordance.Collection {
    let (scope, collection) = try names(of: name)
    guard let found = try database.collection(name: collection, scope: scope) else {
      throw Problem.notFound("there is no collection \"\(name)\"")
    }
    return found
  }

  /// Splits `scope.name`. A name without a scope refers to the default scope.
  static func names(of name: String) throws -> (scope: String, collection: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    switch parts.count {
    case 1: return (Database.defaultScopeName, parts[0])
    case 2: return (parts[0], parts[1])
    default: throw Problem.invalidParameter("collection", "expected NAME or SCOPE.NAME, not \"\(name)\"")
    }
  }
}
