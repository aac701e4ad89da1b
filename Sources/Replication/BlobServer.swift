import BLIP

/// Answers requests for blobs. A peer can read only the blobs of revisions that were sent to it and that it has not yet
/// acknowledged.
struct BlobServer {
  let link: MessageLink
  let database: any ReplicaDatabase
  let proofs: BlobProofs

  /// Handles a `getAttachment` message.
  func handleRequest(_ request: MessageLink.Request, offered: [RevisionSender]) {
    guard let digest = offeredDigest(request, offered) else { return }
    do {
      guard let content = try database.blob(digest) else { return refuse(request) }
      let flags: MessageFlags = request.properties.boolean("compress") && !link.transport.isLocal ? .compressed : []
      link.respond(to: request, Message(.response, flags: flags), body: content)
    } catch {
      fail(request)
    }
  }

  /// Handles a `proveAttachment` message: proves that this database has a blob.
  func handleProof(_ request: MessageLink.Request, offered: [RevisionSender]) {
    let nonce = request.message.body
    guard BlobProofs.nonceSizes.contains(nonce.count) else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the nonce must have 16 to 255 bytes"))
    }
    guard let digest = offeredDigest(request, offered) else { return }
    let isAccepted = proofs.compute(digest, nonce: nonce) { result in
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
