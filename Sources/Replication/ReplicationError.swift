/// An error of a replication.
public enum ReplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The peer has sent a message whose content violates the protocol.
  case malformedMessage(String)

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformedMessage(let what): "the peer sent a malformed message: \(what)"
    }
  }
}
