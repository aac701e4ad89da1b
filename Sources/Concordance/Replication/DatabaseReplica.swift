import BLIP
import DocumentStore
import Foundation
import Replication
import VersionVectors

/// A database as the replication engine accesses it.
final class DatabaseReplica: ReplicaDatabase {
  let database: Database
  private var store: Store { database.engine.store }
  /// Contains the received blobs of documents that are not stored yet.
  private let spool: SharedSpool

  init(_ database: Database) {
    self.database = database
    spool = SharedSpool(in: database.engine.store.folderOfTemporaryFiles)
  }

  /// Returns the public and private ids of the database file.
  func identity() throws -> SourceIdentity {
    try store.requireFile(for: "replication is")
    return try store.read { try SourceIdentity($0) }
  }

  func publicID() throws -> SourceID { try identity().publicID }

  func checkpoint(_ id: String) throws -> [UInt8]? {
    try store.read { try Checkpoints.read(id, isPeer: false, $0)?.body }
  }

  func setCheckpoint(_ id: String, _ body: [UInt8]) throws {
    _ = try store.write { try $0.storeCheckpoint(id, isPeer: false, body, replacing: nil) }
  }

  func peerCheckpoint(_ id: String) throws -> (revision: Int64, body: [UInt8])? {
    try store.read { try Checkpoints.read(id, isPeer: true, $0).map { ($0.revision, $0.body) } }
  }

  func setPeerCheckpoint(_ id: String, _ body: [UInt8], replacing expected: Int64) throws -> Int64? {
    // A database that was opened read-only can be pulled from. The peer finds no checkpoint in its next replication,
    // and then compares all documents.
    if database.config.isReadOnly {
      let (revision, overflow) = expected.addingReportingOverflow(1)
      return overflow ? nil : revision
    }
    return try store.write { try $0.storeCheckpoint(id, isPeer: true, body, replacing: expected) }
  }

  func blob(_ digest: String) throws -> (any MessageBodySource)? {
    guard try store.blobLength(digest: digest) != nil else { return nil }
    return StoredBlobBody(BlobReader(store, digest: digest))
  }

  func blobProof(_ digest: String, prefix: [UInt8]) throws -> [UInt8]? {
    guard try store.blobLength(digest: digest) != nil else { return nil }
    let hasher = try BlobHasher()
    try prefix.withUnsafeBytes { try hasher.update($0) }
    try BlobSource.stored(store, digest: digest).forEachChunk { try hasher.update($0) }
    return Data(base64Encoded: String(try hasher.finish().dropFirst("sha1-".count))).map { Array($0) }
  }

  func makeBlobWriter() throws -> any ReplicaBlobWriter {
    SpooledBlob(try SpoolWriter(in: store.folderOfTemporaryFiles), spool)
  }

  func transportError(_ error: any Error) -> ReplicationTransportError {
    let converted = CBLError.wrapping(error)
    return ReplicationTransportError(
      code: (converted as? CBLError)?.code ?? CBLError.unexpectedError, message: CBLError.message(of: converted))
  }

  func descriptionForPeer(of error: any Error) -> String {
    // A WebSocket sends at most 123 bytes of it.
    let fault =
      switch (error as? StoreError)?.kind {
      case .readOnly: "is read-only"
      case .diskFull: "cannot be written, because the disk is full"
      case .busy, .inUse: "is in use by another process; try again later"
      case .corrupt, .notADatabase: "is damaged"
      case .closed: "was closed"
      default: "cannot be read or written"
      }
    return "the database of the peer \(fault); its log has the details"
  }
}

/// The content of a stored blob, read while it is sent.
private final class StoredBlobBody: MessageBodySource {
  private var reader: BlobReader
  private var rest: ArraySlice<UInt8> = []

  init(_ reader: BlobReader) { self.reader = reader }

  func next(maximumCount: Int) throws -> [UInt8]? {
    if rest.isEmpty {
      guard let chunk = try reader.next() else { return nil }
      rest = ArraySlice(chunk)
    }
    let part = rest.prefix(maximumCount)
    rest = rest.dropFirst(part.count)
    return Array(part)
  }
}

/// The content of a blob while it is received.
private final class SpooledBlob: ReplicaBlobWriter {
  private let writer: SpoolWriter
  private let spool: SharedSpool

  init(_ writer: SpoolWriter, _ spool: SharedSpool) {
    self.writer = writer
    self.spool = spool
  }

  var length: Int64 { writer.length }

  func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try writer.append($0) } }

  func finish() throws -> (digest: String, content: any Sendable) {
    let file = try spool.moving(writer.finish())
    return (file.digest, file)
  }
}
