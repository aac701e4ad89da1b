import Foundation

/// Computes proofs that this database has blobs: the digest of a nonce followed by the content, which cannot be derived
/// from the digest of the content.
///
/// Blobs are hashed on a queue of their own, because hashing a large one takes seconds.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue of the link.
final class BlobProofs: @unchecked Sendable {
  typealias Completion = (Result<[UInt8]?, any Error>) -> Void

  /// The valid numbers of bytes of a nonce.
  static let nonceSizes = 16...255
  /// The maximum number of proofs that are being computed. A peer can request each in a few bytes.
  private static let maximumCount = 100

  private let link: MessageLink
  private let database: any ReplicaDatabase
  private let queue = DispatchQueue(label: "concordance.replication.proofs")
  private var completions: [UInt64: Completion] = [:]
  private var lastNumber: UInt64 = 0

  init(_ link: MessageLink, _ database: any ReplicaDatabase) {
    self.link = link
    self.database = database
  }

  /// Computes a proof.
  ///
  /// - Parameter completion: called on the link's queue with the digest; with nil if the blob is not stored.
  /// - Returns: false, without calling `completion`, if too many proofs are being computed.
  func compute(_ digest: String, nonce: [UInt8], _ completion: @escaping Completion) -> Bool {
    guard completions.count < BlobProofs.maximumCount else { return false }
    lastNumber += 1
    let number = lastNumber
    completions[number] = completion
    queue.async { [self] in
      let result = Result { try database.blobProof(digest, prefix: [UInt8(clamping: nonce.count)] + nonce) }
      link.perform { [self] in completions.removeValue(forKey: number)?(result) }
    }
    return true
  }

  /// Returns the text of a proof in messages.
  static func text(_ proof: [UInt8]) -> [UInt8] { Array(("sha1-" + Data(proof).base64EncodedString()).utf8) }
}
