import Replication

extension ReplicatorConfiguration {
  /// Returns the full names of the collections that the peer offers; nil if the peer is not a database of this library
  /// and does not list them. Connects for this request alone, and retries as a ``Replicator`` does.
  ///
  /// - Parameter willRetry: called with the status before each further attempt.
  /// - Throws: ``CBLError`` if the endpoint is invalid or the last attempt to connect fails.
  @_spi(Command) public func peerCollections(
    willRetry: @Sendable (Replicator.Status) -> Void
  ) async throws -> [String]? {
    let connector = try target.makeConnector()
    let options = replicationOptions
    var failureCount: UInt64 = 0
    while true {
      do {
        return try await PeerCollections.names(over: try await connector.connect(connectionOptions))
      } catch let error as ReplicationTransportError {
        failureCount += 1
        let mayRetry = error.isTransient && (continuous || !error.isNetworkDependent)
        guard mayRetry, failureCount < options.maximumAttempts else { throw CBLError(error.code, error.message) }
        var status = ActiveReplication.Status(activity: .offline)
        status.error = error
        let retry = ActiveReplication.Retry(failureCount, of: options)
        status.retry = retry
        willRetry(Replicator.status(status))
        try await Task.sleep(for: .seconds(retry.delay))
      }
    }
  }
}
