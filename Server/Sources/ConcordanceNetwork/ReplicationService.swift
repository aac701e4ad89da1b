package import Concordance
import Foundation
package import Logging
package import NIOCore
import NIOHTTP1

/// Serves replication on connections that an HTTP server has accepted.
///
/// ```swift
/// if ReplicationService.isRequested(by: requestLine) { try service.prepare(channel) }
/// ```
package final class ReplicationService: Sendable {
  /// A request to replicate a database: `GET /NAME/_blipsync`.
  package struct Request: Sendable {
    /// The name of the database.
    package let database: String
    private let headers: HTTPHeaders

    init?(_ head: HTTPRequestHead) {
      let path = head.uri.prefix { $0 != "?" }
      guard path.hasPrefix("/"), path.hasSuffix(ReplicationService.suffix),
        let name = path.dropFirst().dropLast(ReplicationService.suffix.count).removingPercentEncoding
      else { return nil }
      database = name
      headers = head.headers
    }

    /// Returns the first value of a header; nil if it is missing.
    package func header(_ name: String) -> String? { headers.first(name: name) }

    /// The token of `Authorization: Bearer TOKEN`, or the password of Basic authentication, because replicators of
    /// Couchbase Lite have no option for tokens.
    package var token: String? {
      let authorization = AuthorizationHeader(header("Authorization"))
      return authorization?.bearerToken ?? BasicCredentials(authorization)?.password
    }
  }

  /// The access that a client is given.
  package struct Access: Sendable {
    /// Returns the collections that the client may replicate. It may block.
    package let collections: @Sendable () throws -> [Concordance.Collection]
    /// Whether changes that the client pushes are rejected with HTTP status 403.
    package let isReadOnly: Bool

    /// Creates a value.
    package init(isReadOnly: Bool, collections: @escaping @Sendable () throws -> [Concordance.Collection]) {
      self.collections = collections
      self.isReadOnly = isReadOnly
    }
  }

  fileprivate static let suffix = "/_blipsync"

  private let peers: ConnectedPeers
  private let acceptor: WebSocketAcceptor

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - logger: receives warnings.
  ///   - authorize: decides about a request. It runs on event loops, so it must not block.
  package init(
    logger: Logger,
    authorize: @escaping @Sendable (Request) -> Swift.Result<Access, HandshakeRefusal>
  ) {
    let peers = ConnectedPeers(logger: logger)
    self.peers = peers
    let admission = peers.admit()
    acceptor = WebSocketAcceptor(WebSocketAcceptor.Settings(), logger: logger) { head, channel in
      let loop = channel.eventLoop
      guard let request = Request(head) else { return loop.makeSucceededFuture(.failure(.unknownPath)) }
      let outcome: WebSocketAcceptor.Outcome = authorize(request).map { access in
        { @Sendable transport in
          do {
            peers.accept(transport, try access.collections(), isReadOnly: access.isReadOnly, admission)
          } catch {
            logger.warning("\(request.database) cannot be replicated: \(error)")
            transport.close(code: 4001, reason: "the database cannot be read")
          }
        }
      }
      return loop.makeSucceededFuture(outcome)
    }
  }

  /// Returns whether the first line of an HTTP request asks for replication.
  package static func isRequested(by line: String) -> Bool {
    let words = line.split(separator: " ")
    return words.count == 3 && words[0] == "GET" && words[1].prefix { $0 != "?" }.hasSuffix(suffix)
  }

  /// Serves a connection whose first request asks for replication. The caller then passes the received bytes to the
  /// pipeline. Must be called on the event loop of the channel.
  ///
  /// - Throws: an error if 256 other handshakes are in progress. The caller closes the connection.
  package func prepare(_ channel: any Channel) throws { try acceptor.prepare(channel) }

  /// The current number of open connections.
  package var connectionCount: Int { peers.status.connectionCount }

  /// Waits until all connections are closed. It does not close them: the HTTP server does so when it shuts down.
  package func closed() async { await peers.waitUntilEmpty() }
}
