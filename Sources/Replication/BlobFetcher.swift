import BLIP

/// Requests blobs from the peer, each only once even if several documents refer to it.
///
/// A blob is written to a temporary file while it is received, and its digest is verified at the end. If it is already
/// stored, the peer only has to prove that it has the blob; if it cannot, the content is requested. A fetcher must be
/// used only on the queue of its link.
final class BlobFetcher {
  /// A received blob.
  struct Blob {
    let length: Int64
    let content: any Sendable
  }

  private struct Fetch {
    let blob: MissingBlob
    var digest: String { blob.digest }
    let documentID: String
    let index: Int?
    /// The greatest allowance of the documents that refer to the blob.
    var allowance: BlobAllowance
    var handlers: [Handler]

    mutating func add(_ blob: MissingBlob, _ handler: @escaping Handler) {
      allowance = max(allowance, BlobAllowance(stated: blob.length))
      handlers.append(handler)
    }
  }

  /// Receives the blob, nil if it was already stored, or the error to reject the revision with.
  typealias Handler = (Result<Blob?, ReplicaError>) -> Void

  /// The maximum number of concurrent requests. Each request keeps a file open.
  private static let maximumCount = 8
  /// The maximum number of digests in ``sent``.
  private static let maximumSentCount = 10_000

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let proofs: BlobProofs
  /// The digests of blobs that the peer has sent or has proven to have.
  private var sent: Set<String> = []
  private var running: [String: Fetch] = [:]
  private var waiting: [String: Fetch] = [:]
  /// The digests of ``waiting`` in the order in which they are requested.
  private var order = FIFO<String>()
  private var revisions = WaitingRevisions()

  init(_ link: MessageLink, _ database: any ReplicaDatabase, _ proofs: BlobProofs) {
    self.link = link
    self.database = database
    self.proofs = proofs
  }

  /// Returns whether a blob must be fetched.
  func mustFetch(_ blob: MissingBlob) -> Bool { !blob.isStored || !sent.contains(blob.digest) }

  /// Counts a revision that waits for its blobs, with its size in bytes.
  ///
  /// - Returns: false if too many are waiting. The revision is then not counted.
  func reserve(_ size: Int) -> Bool { revisions.reserve(size) }

  /// Counts a revision as no longer waiting.
  func release(_ size: Int) { revisions.release(size) }

  /// Fetches a blob.
  func fetch(_ blob: MissingBlob, documentID: String, index: Int?, _ handler: @escaping Handler) {
    let digest = blob.digest
    if running[digest] != nil {
      running[digest]?.add(blob, handler)
    } else if waiting[digest] != nil {
      waiting[digest]?.add(blob, handler)
    } else {
      waiting[digest] = Fetch(
        blob: blob, documentID: documentID, index: index, allowance: BlobAllowance(stated: blob.length),
        handlers: [handler])
      order.append(digest)
      startNext()
    }
  }

  private func startNext() {
    // A request on a closed link ends at once. Starting the next one from there would nest the calls without a limit.
    guard !isStarting else { return }
    isStarting = true
    defer { isStarting = false }
    while running.count < BlobFetcher.maximumCount, let digest = order.popFirst() {
      guard let fetch = waiting.removeValue(forKey: digest) else { continue }
      running[digest] = fetch
      if fetch.blob.isStored { requestProof(fetch) } else { request(fetch) }
    }
  }

  private var isStarting = false

  private func message(_ profile: String, _ fetch: Fetch) -> Message {
    var message = Message(properties: ["Profile": profile, "digest": fetch.digest])
    message.properties["docID"] = fetch.documentID
    if let index = fetch.index { message.properties["collection"] = String(index) }
    return message
  }

  private func requestProof(_ fetch: Fetch) {
    // `SystemRandomNumberGenerator` is cryptographically secure, so the peer cannot know the nonce in advance.
    let nonce = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    var request = message("proveAttachment", fetch)
    request.body = nonce
    link.send(request) { [weak self] response in
      guard let self else { return }
      guard let response, response.errorCode == nil else { return self.request(fetch) }
      let isAccepted = proofs.compute(fetch.digest, nonce: nonce) { [weak self] result in
        guard let self else { return }
        // The blob may have been deleted or may be unreadable.
        guard case .success(let proof?) = result, BlobProofs.text(proof) == response.body else {
          return self.request(fetch)
        }
        end(fetch.digest, .success(nil))
      }
      if !isAccepted { self.request(fetch) }
    }
  }

  private func request(_ fetch: Fetch) {
    var request = message("getAttachment", fetch)
    if fetch.blob.isCompressible, !link.transport.isLocal { request.properties["compress"] = "true" }
    let digest = fetch.digest
    var receivedLength: Int64 = 0
    var writer: (any ReplicaBlobWriter)?
    var failure: ReplicaError?
    let sink = MessageLink.ResponseSink(
      began: { [weak self] type, properties in
        if type == .error {
          let status = properties["Error-Code"].flatMap { Int($0) } ?? 404
          failure = ReplicaError(status: status, "the peer did not send the blob \(digest)")
        } else {
          do { writer = try self?.database.makeBlobWriter() } catch { failure = BlobFetcher.storageError(error) }
        }
      },
      bytes: { [weak self] bytes in
        guard let self, let allowance = running[digest]?.allowance else { return }
        receivedLength += Int64(bytes.count)
        guard receivedLength <= allowance.disconnection else { return disconnect(digest, allowance) }
        guard failure == nil, let current = writer else { return }
        guard receivedLength <= allowance.length else {
          failure = ReplicaError(status: allowance.isStated ? 400 : 413, allowance.message(digest))
          writer = nil
          return
        }
        do { try current.append(bytes) } catch {
          failure = BlobFetcher.storageError(error)
          writer = nil
        }
      },
      ended: { [weak self] isComplete in
        self?.end(digest, BlobFetcher.result(digest, writer, isComplete: isComplete, failure))
      })
    link.send(request, streamingTo: sink)
  }

  /// Closes the connection to a peer that continues to send a blob that is too long. BLIP has no message that cancels a
  /// request.
  private func disconnect(_ digest: String, _ allowance: BlobAllowance) {
    link.fail(ReplicationTransportError(code: 11_009, message: allowance.message(digest)), closeCode: 1009)
  }

  private static func result(
    _ digest: String, _ writer: (any ReplicaBlobWriter)?, isComplete: Bool, _ failure: ReplicaError?
  ) -> Result<Blob?, ReplicaError> {
    if let failure { return .failure(failure) }
    guard isComplete, let writer else {
      return .failure(ReplicaError(status: 503, "the connection was closed before the blob \(digest) was complete"))
    }
    do {
      let length = writer.length
      let (received, content) = try writer.finish()
      guard received == digest else {
        return .failure(
          ReplicaError(status: 400, "the peer sent wrong content for the blob \(digest): its digest is \(received)"))
      }
      return .success(Blob(length: length, content: content))
    } catch {
      return .failure(storageError(error))
    }
  }

  private static func storageError(_ error: any Error) -> ReplicaError {
    ReplicaError(status: 503, "the blob could not be stored: \(error)")
  }

  private func end(_ digest: String, _ result: Result<Blob?, ReplicaError>) {
    let fetch = running.removeValue(forKey: digest)
    if case .success = result {
      // Without a digest, the peer proves again that it has the blob.
      if sent.count >= BlobFetcher.maximumSentCount { sent = [] }
      sent.insert(digest)
    }
    for handler in fetch?.handlers ?? [] { handler(result) }
    startNext()
  }
}
