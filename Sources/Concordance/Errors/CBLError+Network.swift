// The codes of network errors in Couchbase Lite. Replications report some of them, and searches and queries report
// `timeout`; the others are included so that programs written for Couchbase Lite compile.
extension CBLError {
  /// The lower bound of the codes of network errors.
  public static let networkBase = 5000
  /// The DNS lookup failed.
  public static let dnsFailure = 5001
  /// The host does not exist in DNS.
  public static let unknownHost = 5002
  /// The operation took longer than its time limit, such as ``SearchRequest/timeout`` or ``Query/timeout``, or a
  /// regular expression took more time or steps for a text than its limits allow.
  public static let timeout = 5003
  /// The URL is malformed.
  public static let invalidURL = 5004
  /// A chain of HTTP redirects is too long.
  public static let tooManyRedirects = 5005
  /// The TLS handshake failed.
  public static let tlsHandshakeFailed = 5006
  /// The certificate of the peer has expired.
  public static let tlsCertExpired = 5007
  /// The certificate of the peer is not trusted.
  public static let tlsCertUntrusted = 5008
  /// The peer requires a client certificate.
  public static let tlsClientCertRequired = 5009
  /// The peer rejected the client certificate.
  public static let tlsClientCertRejected = 5010
  /// The root certificate of the peer's certificate chain is unknown.
  public static let tlsCertUnknownRoot = 5011
  /// An HTTP redirect leads to an unsupported URL.
  public static let invalidRedirect = 5012
  /// A network error that has no specific code.
  public static let unknown = 5013
  /// The certificate of the peer was revoked.
  public static let tlsCertRevoked = 5014
  /// The name in the certificate does not match the name of the peer.
  public static let tlsCertNameMismatch = 5015
  /// The network was reset.
  public static let networkReset = 5016
  /// The operating system aborted the connection.
  public static let connectionAborted = 5017
  /// The peer reset the connection.
  public static let connectionReset = 5018
  /// The peer refused the connection.
  public static let connectionRefused = 5019
  /// The network is down.
  public static let networkDown = 5020
  /// The network is unreachable.
  public static let networkUnreachable = 5021
  /// The socket is not connected.
  public static let notConnected = 5022
  /// The host is down.
  public static let hostDown = 5023
  /// The host is unreachable.
  public static let hostUnreachable = 5024
  /// The address is in use or not available.
  public static let addressNotAvailable = 5025
  /// The pipe is broken.
  public static let brokenPipe = 5026
  /// The network interface does not exist.
  public static let unknownInterface = 5027

  /// The lower bound of the codes of HTTP errors. A code is this value plus the HTTP status.
  public static let httpBase = 10000
  /// Missing or wrong credentials.
  public static let httpAuthRequired = 10401
  /// The user may not access the resource.
  public static let httpForbidden = 10403
  /// The resource does not exist.
  public static let httpNotFound = 10404
  /// The proxy requires credentials.
  public static let httpProxyAuthRequired = 10407
  /// The update conflicts with another one.
  public static let httpConflict = 10409
  /// The data is too large to upload.
  public static let httpEntityTooLarge = 10413
  /// The server is a teapot (RFC 2324).
  public static let httpImATeapot = 10418
  /// The server failed.
  public static let httpInternalServerError = 10500
  /// The server does not implement the operation.
  public static let httpNotImplemented = 10501
  /// The server is temporarily unavailable.
  public static let httpServiceUnavailable = 10503

  /// The lower bound of the codes of WebSocket errors.
  public static let webSocketBase = 11000
  /// The connection was closed normally.
  public static let webSocketNormalClose = 11000
  /// The peer is shutting down.
  public static let webSocketGoingAway = 11001
  /// The peer violated the protocol.
  public static let webSocketProtocolError = 11002
  /// The peer cannot handle the payload.
  public static let webSocketDataError = 11003
  /// The connection was closed unexpectedly.
  public static let webSocketAbnormalClose = 11006
  /// A message cannot be parsed.
  public static let webSocketBadMessageFormat = 11007
  /// A message violated a policy of the peer.
  public static let webSocketPolicyError = 11008
  /// A message is too large for the peer.
  public static let webSocketMessageTooBig = 11009
  /// The peer does not support a required extension.
  public static let webSocketMissingExtension = 11010
  /// An unexpected condition prevents the peer from fulfilling the request.
  public static let webSocketCantFulfill = 11011
  /// A transient error that the peer's application defines.
  public static let webSocketUserTransient = 14001
  /// A permanent error that the peer's application defines.
  public static let webSocketUserPermanent = 14002
}
