import BLIP
import Foundation

/// Answers requests for blobs. A peer can read only the blobs of revisions that were sent to it and that it has not yet
/// acknowledged.
struct BlobServer {
  let link: MessageLink
  let database: any ReplicaDatabase

  /// Handles a `getAttachment` message.
  func handleRequest(_ request: MessageLink.Request, offered: [RevisionSender]) {
    answer(request, offered) { digest in
      guard let content = try database.blob(digest) else { return nil }
      let flags: MessageFlags =
        request.properties.boolean("compress") && !link.transport.isLocal ? .compressed : []
      return (Message(.response, flags: flags), content)
    }
  }

  /// Handles a `proveAttachment` message: proves that this database has a blob.
  func handleProof(_ request: MessageLink.Request, offered: [RevisionSender]) {
    let nonce = request.message.body
    guard (16...255).contains(nonce.count) else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the nonce must have 16 to 255 bytes"))
    }
    answer(request, offered) { digest in
      guard let proof = try database.blobProof(digest, prefix: [UInt8(nonce.count)] + nonce) else { return nil }
      return (Message(.response, body: Array(("sha1-" + Data(proof).base64EncodedString()).utf8)), nil)
    }
  }

  private func answer(
    _ request: MessageLink.Request, _ offered: [RevisionSender],
    _ response: (String) throws -> (Message, (any MessageBodySource)?)?
  ) {
    guard let digest = request.properties["digest"] else {
      return link.respond(to: request, .error(domain: "BLIP", code: 400, "the request has no digest"))
    }
    do {
      guard offered.contains(where: { $0.offeredBlobs[digest] != nil }), let (message, body) = try response(digest)
      else { return link.respond(to: request, .error(domain: "HTTP", code: 404, "there is no such blob")) }
      link.respond(to: request, message, body: body)
    } catch {
      link.respond(to: request, .error(domain: "HTTP", code: 503, "the blob cannot be read"))
    }
  }
}
