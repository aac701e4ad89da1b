import CCrypto
import Foundation
import SQLiteAccess

/// Computes the digest of a blob: `sha1-` and the SHA-1 of the content in Base64 with padding, the format of Couchbase
/// Lite.
///
/// ```swift
/// let hasher = try BlobHasher()
/// try hasher.update(bytes)
/// try hasher.finish()   // sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=
/// ```
///
/// SHA-1 is used for compatibility with files and programs that use these digests. It is not collision-resistant: an
/// attacker can construct two contents with the same digest.
///
/// - Complexity: O(n), at more than 1 GB/s on processors with SHA instructions.
public final class BlobHasher {
  private let context: OpaquePointer

  /// The number of bytes hashed.
  public private(set) var length: Int64 = 0

  /// Creates a hasher.
  ///
  /// - Throws: ``StoreError`` if memory allocation fails, or if the crypto policy of the system disables SHA-1.
  public init() throws {
    guard let context = EVP_MD_CTX_new() else { throw BlobHasher.failure }
    self.context = context
    guard EVP_DigestInit_ex(context, EVP_sha1(), nil) == 1 else { throw BlobHasher.failure }
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Hashes the next bytes.
  public func update(_ bytes: UnsafeRawBufferPointer) throws {
    guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw BlobHasher.failure }
    length += Int64(bytes.count)
  }

  /// Returns the digest of all bytes. The hasher must not be used afterwards.
  public func finish() throws -> String {
    var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &hash, &count) == 1 else { throw BlobHasher.failure }
    return "sha1-" + Data(hash.prefix(Int(count))).base64EncodedString()
  }

  private static let failure = StoreError(
    .database, "OpenSSL's libcrypto cannot compute SHA-1 on this system; the digests of blobs require it")
}
