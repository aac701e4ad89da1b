import Concordance
import ConcordanceNetwork

/// Decides about requests to replicate a database.
struct ReplicationAccess: Sendable {
  let databases: [String: Database]
  let options: ServerOptions

  /// Returns the access that a client is given: a token with the scope `read` permits pulling, and `write` also permits
  /// pushing.
  func decide(_ request: ReplicationService.Request) -> Swift.Result<ReplicationService.Access, HandshakeRefusal> {
    do {
      // Browsers open WebSockets to other origins without asking the server (CORS), also with saved passwords.
      try RequestOrigin(
        origin: request.header("Origin"), site: request.header("Sec-Fetch-Site"), authority: request.header("Host")
      ).check(options, acceptsPasswords: true)
    } catch {
      return .failure(.forbidden((error as? Problem)?.detail ?? "The origin is not permitted."))
    }
    guard let scope = options.scope(of: request.token) else {
      return .failure(
        .unauthorized(
          "Send a valid token as \"Authorization: Bearer TOKEN\", or as the password of any user.",
          challenges: ["Bearer", BasicCredentials.challenge]))
    }
    guard let database = databases[request.database] else { return .failure(.unknownPath) }
    guard !database.isOnPostgreSQL else {
      return .failure(.unsupported("Replication is not available for databases on PostgreSQL yet."))
    }
    guard !database.isFileReplaced else {
      return .failure(.unavailable("The database file was deleted or replaced."))
    }
    return .success(
      ReplicationService.Access(isReadOnly: options.isReadOnly || scope < .write) {
        try database.scopes().flatMap { try $0.collections() }
      })
  }
}
