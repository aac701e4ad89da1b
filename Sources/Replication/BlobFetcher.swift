import BLIP

/// Requests blobs from the peer, each only once even if several documents refer to it.
///
/// A blob is written to a temporary file while it is received, and its digest is verified at the end. A fetcher must be
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
    var handlers: [(Result<Blob, ReplicaError>) -> Void]
  }

  /// The maximum number of concurrent requests. Each request keeps a file open.
  private static let maximumCount = 8

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private var running: [String: Fetch] = [:]
  private var waiting: [String: Fetch] = [:]
  /// The digests of ``waiting`` in the order in which they are requested, after those that were.
  private var order: [String] = []
  private var orderStart = 0

  init(_ link: MessageLink, _ database: any ReplicaDatabase) {
    self.link = link
    self.database = database
  }

  /// Fetches a blob.
  ///
  /// - Parameter handler: receives the blob, or the error to reject the revision with.
  func fetch(
    _ blob: MissingBlob, documentID: String, index: Int?, _ handler: @escaping (Result<Blob, ReplicaError>) -> Void
  ) {
    let digest = blob.digest
    if running[digest] != nil {
      running[digest]?.handlers.append(handler)
    } else if waiting[digest] != nil {
      waiting[digest]?.handlers.append(handler)
    } else {
      waiting[digest] = Fetch(blob: blob, documentID: documentID, index: index, handlers: [handler])
      order.append(digest)
      startNext()
    }
  }

  private func startNext() {
    // A request on a closed link ends at once. Starting the next one from there would nest the calls without a limit.
    guard !isStarting else { return }
    isStarting = true
    defer { isStarting = false }
    while running.count < BlobFetcher.maximumCount, orderStart < order.count {
      let digest = order[orderStart]
      orderStart += 1
      if orderStart == order.count || orderStart > 1000 {
        order.removeFirst(orderStart)
        orderStart = 0
      }
      guard let fetch = waiting.removeValue(forKey: digest) else { continue }
      running[digest] = fetch
      start(fetch)
    }
  }

  private var isStarting = false

  private func start(_ fetch: Fetch) {
    var request = Message(properties: ["Profile": "getAttachment", "digest": fetch.digest])
    request.properties["docID"] = fetch.documentID
    if let index = fetch.index { request.properties["collection"] = String(index) }
    if fetch.blob.isCompressible, !link.transport.isLocal { request.properties["compress"] = "true" }
    let digest = fetch.digest
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
      bytes: { bytes in
        guard failure == nil else { return }
        do { try writer?.append(bytes) } catch {
          failure = BlobFetcher.storageError(error)
          writer = nil
        }
      },
      ended: { [weak self] isComplete in
        self?.end(digest, BlobFetcher.result(digest, writer, isComplete: isComplete, failure))
      })
    link.send(request, streamingTo: sink)
  }

  private static func result(
    _ digest: String, _ writer: (any ReplicaBlobWriter)?, isComplete: Bool, _ failure: ReplicaError?
  ) -> Result<Blob, ReplicaError> {
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

  private func end(_ digest: String, _ result: Result<Blob, ReplicaError>) {
    let fetch = running.removeValue(forKey: digest)
    for handler in fetch?.handlers ?? [] { handler(result) }
    startNext()
  }
}
