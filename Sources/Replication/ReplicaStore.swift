public import BLIP
public import VersionVectors

/// The database that a replication reads and writes. The methods block; the engine calls them on its own queue.
public protocol ReplicaDatabase: AnyObject, Sendable {
  /// Returns the public id of the database, which is the author of its versions.
  func publicID() throws -> SourceID
  /// Returns the stored checkpoint of a replication that this database runs; nil if there is none.
  func checkpoint(_ id: String) throws -> [UInt8]?
  /// Stores the checkpoint of a replication that this database runs.
  func setCheckpoint(_ id: String, _ body: [UInt8]) throws
  /// Returns the checkpoint, with its revision, of a replication that another database runs; nil if there is none.
  func peerCheckpoint(_ id: String) throws -> (revision: Int64, body: [UInt8])?
  /// Stores the checkpoint of a replication that another database runs with this one.
  ///
  /// - Returns: the new revision; nil if the stored checkpoint does not have the revision `expected`, which is 0 if
  ///   there must be no checkpoint.
  func setPeerCheckpoint(_ id: String, _ body: [UInt8], replacing expected: Int64) throws -> Int64?
  /// Returns the content of a blob; nil if it is not stored.
  func blob(_ digest: String) throws -> (any MessageBodySource)?
  /// Returns the SHA-1 digest of a prefix followed by a blob's content; nil if the blob is not stored.
  func blobProof(_ digest: String, prefix: [UInt8]) throws -> [UInt8]?
  /// Returns a writer that stores the content of a blob temporarily.
  func makeBlobWriter() throws -> any ReplicaBlobWriter
  /// Converts an error that this database or one of its collections has thrown. The result is transient if another
  /// process was writing for too long.
  func transportError(_ error: any Error) -> ReplicationTransportError
  /// Describes an error for the other peer, without paths and other details of this machine.
  func descriptionForPeer(of error: any Error) -> String
}

/// Stores the content of a blob until the revision that refers to it is inserted.
public protocol ReplicaBlobWriter: AnyObject {
  /// The number of bytes that were appended.
  var length: Int64 { get }
  /// Appends bytes.
  func append(_ bytes: [UInt8]) throws
  /// Completes the content.
  ///
  /// - Returns: the digest of the content.
  func finish() throws -> (digest: String, content: any Sendable)
}

/// A collection of a ``ReplicaDatabase``. The methods block.
public protocol ReplicaCollection: AnyObject, Sendable {
  /// The name in messages: `name` in the default scope, otherwise `scope.name`.
  var path: String { get }
  /// Returns the id under which this database stores the checkpoint of a peer for this collection. It differs from the
  /// one for an earlier collection with the same name, whose sequences mean other changes.
  ///
  /// - Parameter id: the id that the peer has chosen.
  func peerCheckpointID(_ id: String) throws -> String
  /// Returns changed documents, except expired ones, in sequence order.
  ///
  /// - Parameter limit: the maximum number of documents. Fewer are returned if they are large.
  func changes(after sequence: UInt64, limit: Int) throws -> ReplicaChanges

  /// Returns the version vectors of documents and tombstones; nil for documents that are not stored.
  func versions(_ ids: [String]) throws -> [ReplicaVersion?]
  /// Returns whether the program's push filter accepts a document.
  func shouldSend(_ revision: ReplicaRevision) throws -> Bool
  /// Returns whether the program's pull filter accepts a received revision.
  func shouldStore(_ revision: ReceivedRevision) throws -> Bool
  /// Returns the digests of the blobs that a document body refers to.
  func blobs(in body: [UInt8]) throws -> [String]
  /// Returns false if a document body certainly refers to no blobs, without parsing it.
  func mayReferenceBlobs(_ body: [UInt8]) -> Bool
  /// Returns the blobs that the peer must send, or prove to have, before a received document body can be stored: those
  /// that the body refers to, except blobs that the stored revision of the document refers to and that are stored.
  ///
  /// - Parameter id: the id of the document.
  func missingBlobs(in body: [UInt8], of id: String) throws -> [MissingBlob]
  /// Stores revisions in one transaction.
  ///
  /// - Parameter remote: the id of the replication; nil on the passive side, which rejects conflicts.
  /// - Returns: a result for each revision.
  func insert(_ revisions: [ReceivedRevision], remote: String?) throws -> [InsertionResult]
  /// Purges a document that the user may no longer read, unless the program's pull filter rejects this.
  ///
  /// - Returns: whether the document was purged; nil if it is not stored.
  func purgeRevoked(_ id: String) throws -> Bool?
  /// Returns the ids of documents with unresolved conflicts.
  func conflicts() throws -> [String]
  /// Resolves the conflicts of a document with the program's conflict resolver. Blocks.
  ///
  /// - Returns: the sequence of the stored result and whether it must be sent to the peer; nil if there was no
  ///   conflict.
  func resolveConflicts(_ id: String) throws -> ConflictResolution?
  /// Calls a function after each commit that changes documents in the database file, until the result is released.
  func observeChanges(_ body: @escaping @Sendable () -> Void) throws -> any Sendable
}

/// A blob that must be requested from the peer.
///
/// A blob that is already stored is requested, too: documents of collections that the peer cannot read may be the only
/// ones that refer to it. Otherwise, a peer that knows its digest could push a document that refers to it, and then
/// read it as a blob of that document.
public struct MissingBlob: Hashable, Sendable {
  /// The digest.
  public let digest: String
  /// The content type that the document states; nil if there is none.
  public let contentType: String?
  /// The length in bytes that the document states; nil if there is none.
  public let length: Int64?
  /// Whether the blob is stored, so that a proof that the peer has it is sufficient.
  public let isStored: Bool

  /// Creates a description.
  public init(digest: String, contentType: String?, length: Int64? = nil, isStored: Bool = false) {
    self.digest = digest
    self.contentType = contentType
    self.length = length
    self.isStored = isStored
  }

  /// Whether the content is probably text, which compression makes smaller. Images, audio, video and archives are
  /// compressed already.
  var isCompressible: Bool {
    guard let type = contentType?.lowercased().prefix(while: { $0 != ";" }) else { return false }
    return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
      || MissingBlob.textTypes.contains(String(type))
  }

  private static let textTypes: Set = [
    "application/json", "application/xml", "application/javascript", "application/ecmascript", "application/sql",
    "application/rtf", "application/x-sh", "application/yaml", "application/toml", "image/bmp",
  ]
}

/// The result of resolving a document's conflicts.
public struct ConflictResolution: Sendable {
  /// The sequence of the stored result.
  public let sequence: UInt64
  /// Whether the result is the peer's revision, so that it need not be sent.
  public let isRemote: Bool
  /// Whether the result is a deletion.
  public let isDeleted: Bool

  /// Creates a result.
  public init(sequence: UInt64, isRemote: Bool, isDeleted: Bool) {
    self.sequence = sequence
    self.isRemote = isRemote
    self.isDeleted = isDeleted
  }
}

/// A batch of changes in a collection.
public struct ReplicaChanges: Sendable {
  /// The changed documents.
  public let revisions: [ReplicaRevision]
  /// The sequence up to which there are no changes other than these.
  public let last: UInt64
  /// Whether there are currently no later changes.
  public let isComplete: Bool

  /// Creates a list.
  public init(revisions: [ReplicaRevision], last: UInt64, isComplete: Bool) {
    self.revisions = revisions
    self.last = last
    self.isComplete = isComplete
  }
}

/// A stored revision of a document.
public struct ReplicaRevision: Sendable {
  /// The id of the document.
  public let id: String
  /// Its sequence.
  public let sequence: UInt64
  /// Its version vector, with the ids of all authors.
  public let vector: VersionVector
  /// Whether it is a deletion.
  public let isDeleted: Bool
  /// The JSON text; empty for a deletion.
  public let body: [UInt8]
  /// Whether the document has an unresolved conflict with a revision that this replication has received. A conflict
  /// with a revision of another peer is no reason not to send the document.
  public let hasConflict: Bool

  /// Creates a revision.
  public init(
    id: String, sequence: UInt64, vector: VersionVector, isDeleted: Bool, body: [UInt8], hasConflict: Bool
  ) {
    self.id = id
    self.sequence = sequence
    self.vector = vector
    self.isDeleted = isDeleted
    self.body = body
    self.hasConflict = hasConflict
  }
}

/// The version of a stored document.
public struct ReplicaVersion: Sendable {
  /// The version vector.
  public let vector: VersionVector
  /// Whether it is a deletion.
  public let isDeleted: Bool

  /// Creates a version.
  public init(vector: VersionVector, isDeleted: Bool) {
    self.vector = vector
    self.isDeleted = isDeleted
  }
}

/// A revision that a peer has sent.
public struct ReceivedRevision: Sendable {
  /// The id of the document.
  public let id: String
  /// Its version vector, with the ids of all authors.
  public let vector: VersionVector
  /// Whether it is a deletion.
  public let isDeleted: Bool
  /// The JSON text, which has not been validated; nil for a deletion.
  public var body: [UInt8]?
  /// Whether the body may refer to blobs.
  public var mayReferenceBlobs = true
  /// The received blobs: their digests, their lengths, and their contents from a ``ReplicaBlobWriter``.
  public var blobs: [(digest: String, length: Int64, content: any Sendable)] = []

  /// Creates a revision.
  public init(id: String, vector: VersionVector, isDeleted: Bool, body: [UInt8]?) {
    self.id = id
    self.vector = vector
    self.isDeleted = isDeleted
    self.body = body
  }
}

/// The result of storing a received revision.
public enum InsertionResult: Sendable {
  /// The revision was stored with this sequence.
  case inserted(sequence: UInt64)
  /// This revision or a later one is already stored.
  case exists
  /// The revision conflicts with the stored one and was stored as a conflict.
  case conflict
  /// The revision was rejected.
  case refused(ReplicaError)
}

/// An error that affects a single document.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The HTTP status for the peer, such as 409 (conflict), 403 (forbidden) or 400 (bad request).
  public let status: Int
  /// The code for the program: a code of `CBLError`.
  public let code: Int
  /// A description.
  public let message: String

  /// Creates an error with an HTTP status.
  ///
  /// - Parameters:
  ///   - status: the status; one from a peer may be any number.
  ///   - code: the code for the program; nil for 10,000 plus the status, which is limited to the range 0 to 5,000.
  public init(status: Int, code: Int? = nil, _ message: String) {
    self.status = status
    self.code = code ?? 10_000 + max(0, min(status, 5000))
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Whether a later attempt may succeed. In this case, the change is not recorded as complete.
  public var isTransient: Bool { [408, 429, 502, 503, 504].contains(status) }
}
