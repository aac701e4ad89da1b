import BLIP
import Foundation
import JSONText

/// The list of collections that a peer of this library offers. It is not part of Couchbase Lite's protocol: other peers
/// respond to the request with an error.
public enum PeerCollections {
  static let profile = "concordanceCollections"

  /// Requests the list on a new connection, and closes the connection.
  ///
  /// - Parameter transport: a transport that has not been started.
  /// - Returns: the full names of the collections; nil if the peer does not list them.
  /// - Throws: ``ReplicationTransportError`` if the connection fails.
  public static func names(over transport: any ReplicationTransport) async throws -> [String]? {
    let link = try MessageLink(transport, on: DispatchQueue(label: "concordance.collections"))
    return try await withCheckedThrowingContinuation { continuation in
      link.perform { start(link) { continuation.resume(with: $0) } }
    }
  }

  private static func start(
    _ link: MessageLink, _ completion: @escaping @Sendable (Result<[String]?, any Error>) -> Void
  ) {
    var names: Result<[String]?, any Error>?
    link.callbacks.opened = { [weak link] in
      guard let link else { return }
      link.queue.asyncAfter(deadline: .now() + ReplicationTransportError.responseTimeout) { [weak link] in
        link?.fail(.noResponse, closeCode: 1000)
      }
      link.send(Message(properties: ["Profile": profile])) { [weak link] response in
        guard let response else { return }
        names = Result { try parse(response) }
        link?.close(code: 1000)
      }
    }
    link.callbacks.closed = { closure in
      switch (names, closure) {
      case (let names?, _): completion(names)
      case (nil, .failed(let error)): completion(.failure(error))
      case (nil, .closed(let code, let reason, _)):
        let details = reason.isEmpty ? "\(code)" : "\(code), \(reason)"
        completion(
          .failure(
            ReplicationTransportError(code: 10_000 + code, message: "the peer closed the connection (\(details))")))
      }
    }
    link.start()
  }

  private static func parse(_ response: Message) throws -> [String]? {
    guard response.errorCode == nil else { return nil }
    guard case .array(let list) = try MessageBody.value(response.body), !list.isEmpty else {
      throw ReplicationTransportError(code: 11_002, message: "the peer sent a malformed list of collections")
    }
    return list.compactMap { $0.string.map(CollectionPath.fullName) }
  }

  /// Returns the body of the response.
  ///
  /// - Parameter paths: the names in messages.
  static func body(_ paths: [String]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { list in paths.forEach { list.write($0) } }
    return writer.bytes
  }
}
