/// An error of a replication.
public enum ReplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The peer has sent a message whose content violates the protocol.
  case malformedMessage(String)
  /// The peer has answered a request with an error.
  case peer(domain: String, code: Int, String)
  /// The peer has not answered a request in time.
  case noResponse

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformedMessage(let what): "the peer sent a malformed message: \(what)"
    case .peer(let domain, let code, let message):
      "the peer reported the error \(domain)/\(code)\(message.isEmpty ? "" : ": \(message.prefix(500))")"
    case .noResponse: ReplicationTransportError.noResponse.message
    }
  }
}
