import Concordance
import ConcordanceNetwork
import HTTPTypes
import Hummingbird
import JSONText
import Logging
import NIOCore

/// The state that all requests share.
final class ServerState: Sendable {
  let databases: [String: Database]
  let options: ServerOptions
  let logger: Logger
  let queue: RequestQueue
  /// Limits event streams and long polls, which are not in the queue. Each has a task and perhaps a live query, but
  /// several can share an HTTP/2 connection, so the limit of connections does not limit them.
  let streams: OperationLimit
  /// Limits the changes in the queue. All of them may wait for another process that writes, but reads need room as
  /// well.
  let writes: OperationLimit
  let connections = ConnectionWatcher()
  /// The memory budget for request bodies, large enough for at least two bodies of the maximum size.
  let bodies: MemoryBudget
  let metrics = RequestMetrics()
  let indexes = IndexSummaryCache()
  let builds = IndexBuilds()
  let collections = CollectionCache()
  let queryWarnings = QueryWarnings()
  let files: DatabaseFileMonitor
  /// For `/health`.
  let serverChecks: [DatabaseServerCheck]
  let replication: ReplicationService
  private let limits: [String: DatabaseLimits]
  let start = ContinuousClock.now

  init(_ databases: [Database], _ options: ServerOptions, _ logger: Logger) throws {
    var named: [String: Database] = [:]
    for database in databases {
      guard named.updateValue(database, forKey: database.name) == nil else {
        throw ServerOptionsError(.duplicateDatabase(database.name))
      }
    }
    self.databases = named
    limits = named.mapValues { _ in DatabaseLimits() }
    files = DatabaseFileMonitor(named, logger)
    serverChecks = named.values.map { DatabaseServerCheck($0, logger) }
    let access = ReplicationAccess(databases: named, options: options)
    replication = ReplicationService(logger: logger) { access.decide($0) }
    self.options = options
    bodies = MemoryBudget(
      limit: max(256 << 20, options.limits.bodySize.multipliedReportingOverflow(by: 2).partialValue))
    self.logger = logger
    queue = RequestQueue(limit: options.limits.maximumQueueLength)
    // A quarter of the queue remains for reads.
    writes = OperationLimit(
      "changes on this server", running: max(1, options.limits.maximumQueueLength / 4 * 3), waiting: 0)
    streams = OperationLimit(
      "event streams and long polls on this server", running: options.limits.maximumConnectionCount, waiting: 0)
  }

  /// Returns the limits for slow operations on a database.
  func limits(of database: Database) -> DatabaseLimits { limits[database.name] ?? DatabaseLimits() }

  /// Throws a 401 or 403 problem if the request may not use an endpoint.
  func authorize(_ headers: HTTPFields, _ endpoint: Endpoint) throws {
    guard let needed = endpoint.scope else { return }
    if options.isReadOnly, needed > .read {
      throw Problem(.forbidden, "read_only", "the server is read-only")
    }
    guard let scope = options.scope(of: AuthorizationHeader(headers[.authorization])?.bearerToken) else {
      var problem = Problem(.unauthorized, "invalid_token", "send a valid token as `Authorization: Bearer TOKEN`")
      problem.headers[.wwwAuthenticate] = "Bearer"
      throw problem
    }
    guard scope >= needed else {
      throw Problem(
        .forbidden, "insufficient_scope",
        "this request requires a token with the scope \(needed.rawValue), not \(scope.rawValue)")
    }
  }
}

extension Response {
  /// Returns a JSON response.
  static func json(_ writer: JSONWriter, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    json(ByteBuffer(bytes: writer.bytes), status: status, headers: headers)
  }

  static func json(
    _ body: ByteBuffer, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
