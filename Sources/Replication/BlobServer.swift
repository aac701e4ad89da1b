import BLIP

/// Answers requests for blobs. A peer can read only the blobs of revisions that were sent to it and that it has not yet
/// acknowledged.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
final class BlobServer: @unchecked Sendable {
  /// The maximum number of blobs that are being sent. Each of them holds a chunk of its content in memory, and a peer
  /// can request thousands without reading the responses.
  private static let maximumCount = 16

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let proofs: BlobProofs
  private var sendingCount = 0
  private var waiting = FIFO<(request: MessageLink.Request, digest: String)>()

  init(link: MessageLink, database: any ReplicaDatabase, proofs: BlobProofs) {
    self.link = link
    self.database = database
    self.proofs = proofs
  }

  /// Handles a `getAttachment` message.
  func handleRequest(_ request: MessageLink.Request, offered: [RevisionSender]) {
    guard let digest = offeredDigest(request, offered), !request.message.flags.contains(.noReply) else { return }
    waiting.append((request: request, digest: digest))
    sendNext()
  }

  private func sendNext() {
    while !link.isClosed, sendingCount < BlobServer.maximumCount, let (request, digest) = waiting.popFirst() {
      do {
        guard let content = try database.blob(digest) else {
          refuse(request)
          continue
        }
        sendingCount += 1
        let flags: MessageFlags = request.properties.boolean("compress") && !link.transport.isLocal ? .compressed : []
        let body = ServedBlob(content) { [weak self] in
          guard let self else { return }
          link.perform { self.didSend() }
        }
        link.respond(to: request, Message(.response, flags: flags), body: body)
      } catch {
        fail(request)
      }
    }
  }

  private func didSend() {
    sendingCount -= 1
    sendNext()
  }

  /// Handles a `proveAttachment` message: proves that this database has a blob.
  func handleProof(_ request: MessageLink.Request, offered: [RevisionSender]) {
    let nonce = request.message.body
    guard BlobProofs.nonceSizes.contains(nonce.count) else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the nonce must have 16 to 255 bytes"))
    }
    guard let digest = offeredDigest(request, offered) else { return }
    let isAccepted = proofs.compute(digest, nonce: nonce) { [self] result in
      switch result {
      case .success(let proof?): link.respond(to: request, Message(.response, body: BlobProofs.text(proof)))
      case .success(nil): refuse(request)
      case .failure: fail(request)
      }
    }
    if !isAccepted { fail(request) }
  }

  /// Returns the digest that a request is for. If the peer may not read the blob, responds with an error and returns
  /// nil.
  private func offeredDigest(_ request: MessageLink.Request, _ offered: [RevisionSender]) -> String? {
    guard let digest = request.properties["digest"] else {
      link.respond(to: request, .error(domain: "BLIP", code: 400, "the request has no digest"))
      return nil
    }
    guard offered.contains(where: { $0.offeredBlobs[digest] != nil }) else {
      refuse(request)
      return nil
    }
    return digest
  }

  private func refuse(_ request: MessageLink.Request) {
    link.respond(to: request, .error(domain: "HTTP", code: 404, "there is no such blob"))
  }

  private func fail(_ request: MessageLink.Request) {
    link.respond(to: request, .error(domain: "HTTP", code: 503, "the blob cannot be read"))
  }
}

/// The content of a blob while it is sent. It is released after its last bytes were read, or with the connection.
private final class ServedBlob: MessageBodySource {
  private let content: any MessageBodySource
  private let onRelease: () -> Void

  init(_ content: any MessageBodySource, onRelease: @escaping () -> Void) {
    self.content = content
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  func next(maximumCount: Int) throws -> [UInt8]? { try content.next(maximumCount: maximumCount) }
}
