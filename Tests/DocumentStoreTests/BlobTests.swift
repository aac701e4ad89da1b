import Foundation
import GRDB
import Testing

@testable import DocumentStore

@Suite struct BlobTests {
  let files: TemporaryStore
  static let chunk = BlobSource.chunkSize

  init() throws { files = try TemporaryStore() }

  /// Test data that contains all byte values and does not repeat at the length of a chunk.
  static func bytes(_ count: Int) -> Data {
    var state: UInt64 = 1
    return Data(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      })
  }

  @discardableResult
  func store(_ source: BlobSource) throws -> String {
    let (digest, length) = try source.digest()
    try files.store.write { try $0.storeBlob(digest: digest, length: length, from: source) }
    return digest
  }

  func content(_ digest: String, in store: Store? = nil) throws -> Data {
    var content = Data()
    try BlobSource.stored(store ?? files.store, digest: digest).forEachChunk { content.append(contentsOf: $0) }
    return content
  }

  func rows(_ table: String) throws -> Int {
    try files.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
  }

  func findings() throws -> [String] { try files.store.read { try StoreVerification.run($0).map(\.description) } }

  func spool(_ data: Data, pieces: Int = 1000) throws -> SpoolFile {
    var rest = data[...]
    return try SpoolFile(in: files.folder.url.path) { buffer in
      let piece = rest.prefix(min(pieces, buffer.count))
      rest = rest.dropFirst(piece.count)
      return piece.copyBytes(to: buffer)
    }
  }

  func reference(_ digest: String) -> String { #"{"list":[{"@type":"blob","digest":"\#(digest)"}]}"# }

  // The digests were computed with `openssl dgst -sha1 -binary | base64`.
  @Test(arguments: [
    ("", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="), ("hello", "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="),
  ]) func digestsMatchCouchbaseLite(text: String, digest: String) throws {
    #expect(try BlobSource.bytes(Data(text.utf8)).digest().digest == digest)
  }

  @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17])
  func storedContentIsRead(count: Int) throws {
    let data = BlobTests.bytes(count)
    let digest = try store(.bytes(data))
    #expect(try content(digest) == data)
    #expect(try files.store.blobLength(digest: digest) == Int64(count))
    #expect(try rows("concordance_blob_chunk") == (count + BlobTests.chunk - 1) / BlobTests.chunk)
    #expect(try findings() == [])
    // The standard sqlite3 program can join the chunks, too.
    let joined = try files.store.read { db in
      try Data.fetchAll(db, sql: "SELECT content FROM concordance_blob_chunk ORDER BY blob, number").reduce(Data(), +)
    }
    #expect(joined == data)
  }

  @Test func equalContentOfAllSourcesIsStoredOnce() throws {
    let data = BlobTests.bytes(BlobTests.chunk + 100)
    let path = files.folder.path("picture")
    try data.write(to: URL(fileURLWithPath: path))
    let other = try Store(path: files.folder.path("other.concord"))
    let spool = try spool(data)
    let digest = try store(.spool(spool))
    #expect(digest == spool.digest)
    #expect(try store(.bytes(data)) == digest)
    #expect(try store(.file(path: path)) == digest)
    #expect(try rows("concordance_blob") == 1)
    try other.write {
      try $0.storeBlob(digest: digest, length: Int64(data.count), from: .stored(files.store, digest: digest))
    }
    #expect(try content(digest, in: other) == data)
    // The temporary file is unlinked when it is created.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test(arguments: [0, 7, 2 * chunk, 5 * chunk]) func changedFileIsNotStored(newCount: Int) throws {
    let url = URL(fileURLWithPath: files.folder.path("log"))
    try BlobTests.bytes(BlobTests.chunk * 2).write(to: url)
    let (digest, length) = try BlobSource.file(path: url.path).digest()
    try Data(repeating: 1, count: newCount).write(to: url)
    try files.store.write { transaction in
      expectStoreError(.contentChanged) {
        try transaction.storeBlob(digest: digest, length: length, from: .file(path: url.path))
      }
      // The transaction can continue.
      _ = try transaction.documents(in: files.collection).save(id: "x", body: body("{}"))
    }
    #expect(try rows("concordance_blob") == 0)
    #expect(try rows("concordance_blob_chunk") == 0)
    #expect(try files.ids() == ["x"])
    expectStoreError(.notFound) { _ = try BlobSource.file(path: files.folder.path("none")).digest() }
  }

  @Test func failingStreamStoresNothing() throws {
    struct Broken: Error {}
    #expect(throws: Broken.self) { try SpoolFile(in: files.folder.url.path) { _ in throw Broken() } }
    expectStoreError(.io) { _ = try SpoolFile(in: files.folder.path("none")) { _ in 0 } }
  }

  @Test func uncommittedBlobsAreVisibleOnlyInTheirBatch() throws {
    struct Refusal: Error {}
    let data = BlobTests.bytes(1000)
    let digest = try BlobSource.bytes(data).digest().digest
    #expect(throws: Refusal.self) {
      try files.store.write { transaction in
        try transaction.storeBlob(digest: digest, length: 1000, from: .bytes(data))
        #expect(try content(digest) == data)
        expectStoreError(.noSuchBlob) { _ = try content(digest, in: Store(path: files.path)) }
        throw Refusal()
      }
    }
    expectStoreError(.noSuchBlob) { _ = try content(digest) }
    try files.store.write { outer in
      #expect(throws: Refusal.self) {
        try files.store.write { inner in
          try inner.storeBlob(digest: digest, length: 1000, from: .bytes(data))
          throw Refusal()
        }
      }
      #expect(try outer.blobLength(digest: digest) == nil)
      try outer.storeBlob(digest: digest, length: 1000, from: .bytes(data))
      try outer.storeBlob(digest: digest, length: 1000, from: .bytes(data))
    }
    #expect(try content(digest) == data)
    #expect(try rows("concordance_blob_chunk") == 1)
  }

  @Test func fullDiskStoresNothingAndCanBeRetried() throws {
    let pages = try files.store.withoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 10)")
      return pages
    }
    let data = BlobTests.bytes(BlobTests.chunk)
    expectStoreError(.diskFull) { _ = try store(.bytes(data)) }
    #expect(try rows("concordance_blob") == 0)
    try files.store.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 1000)") }
    #expect(try content(store(.bytes(data))) == data)
    #expect(try findings() == [])
  }

  @Test func noTransactionIsOpenBetweenTwoChunks() throws {
    let data = BlobTests.bytes(3 * BlobTests.chunk)
    let digest = try store(.bytes(data))
    var reader = BlobReader(files.store, digest: digest)
    #expect(try reader.next() == data.prefix(BlobTests.chunk))
    // This is refused while a read transaction is open.
    try files.store.withoutTransaction { try $0.execute(sql: "VACUUM") }
    #expect(try reader.next()?.count == BlobTests.chunk)
    try files.store.deleteUnreferencedBlobs()
    expectStoreError(.noSuchBlob) { _ = try reader.next() }
    try files.store.close()
    expectStoreError(.closed) { _ = try reader.next() }
  }
}

@Suite struct BlobCollectorTests {
  let blobs: BlobTests
  var files: TemporaryStore { blobs.files }

  init() throws { blobs = try BlobTests() }

  func digests() throws -> Set<String> { try files.store.read { try Blobs.digests($0) } }

  @Test func onlyUnreferencedBlobsAreDeleted() throws {
    var digests: [String] = []
    for number in 0..<6 { digests.append(try blobs.store(.bytes(Data("\(number)".utf8)))) }
    try files.save("top", #"{"picture":{"\u0040type":"blob","digest":"\#(digests[0])","length":1}}"#)
    try files.save("deep", #"{"a":[[{"b":{"_cbltype":"blob","digest":"\#(digests[1])"}}]]}"#)
    try files.save("text", #"{"digest":"\#(digests[2])","@type":"blob?"}"#)
    try files.save("gone", blobs.reference(digests[3]))
    try files.save("purged", blobs.reference(digests[4]))
    try files.save("replaced", blobs.reference(digests[5]))
    #expect(try files.store.deleteUnreferencedBlobs() == 1)
    try files.store.write { transaction in
      let documents = try transaction.documents(in: files.collection)
      _ = try documents.delete(id: "gone")
      _ = try documents.purge(id: "purged")
      _ = try documents.save(id: "replaced", body: body("{}"))
    }
    #expect(try files.store.deleteUnreferencedBlobs() == 3)
    #expect(try self.digests() == [digests[0], digests[1]])
    #expect(try files.store.deleteUnreferencedBlobs() == 0)
    #expect(try blobs.findings() == [])
  }

  @Test func blobsOfExpiredDocumentsAreKept() throws {
    let digest = try blobs.store(.bytes(Data("x".utf8)))
    try files.save("x", blobs.reference(digest))
    try files.store.write { _ = try $0.documents(in: files.collection).setExpiration(1, id: "x") }
    #expect(try files.store.deleteUnreferencedBlobs() == 0)
    // The document becomes visible again.
    try files.store.write { _ = try $0.documents(in: files.collection).setExpiration(nil, id: "x") }
    #expect(try blobs.findings() == [])
  }

  @Test func blobsReferencedInAnyCollectionAreKept() throws {
    let digest = try blobs.store(.bytes(Data("x".utf8)))
    let hotels = try files.store.write { try $0.createCollection(CollectionName("hotels")) }
    try files.store.write { _ = try $0.documents(in: hotels).save(id: "x", body: body(blobs.reference(digest))) }
    #expect(try files.store.deleteUnreferencedBlobs() == 0)
    try files.store.write { try $0.deleteCollection(hotels) }
    #expect(try files.store.deleteUnreferencedBlobs() == 1)
  }

  @Test func blobsReferencedBetweenThePhasesAreKept() throws {
    let old = try blobs.store(.bytes(Data("old".utf8)))
    let fresh = try blobs.store(.bytes(Data("fresh".utf8)))
    let unused = try blobs.store(.bytes(Data("unused".utf8)))
    var collector = try BlobCollector()
    try files.store.read { try collector.findCandidates($0) }
    #expect(collector.candidates == [old, fresh, unused])
    // Another Database object saves references in an existing and in a new collection.
    let other = try Store(path: files.path)
    try other.write { transaction in
      _ = try transaction.documents(in: files.collection).save(id: "x", body: body(blobs.reference(old)))
      let hotels = try transaction.createCollection(CollectionName("hotels"))
      _ = try transaction.documents(in: hotels).save(id: "y", body: body(blobs.reference(fresh)))
    }
    let late = try blobs.store(.bytes(Data("late".utf8)))
    #expect(try files.store.write { try collector.deleteSome(in: $0) } == 1)
    #expect(collector.candidates.isEmpty)
    #expect(try digests() == [old, fresh, late])
  }

  @Test func manyUnreferencedBlobsAreDeletedInSeveralTransactions() throws {
    var digests: [String] = []
    for number in 0..<5 { digests.append(try blobs.store(.bytes(Data("\(number)".utf8)))) }
    var collector = try BlobCollector()
    try files.store.read { try collector.findCandidates($0) }
    #expect(try files.store.write { try collector.deleteSome(in: $0, maximumSize: 1) } == 1)
    let kept = try #require(collector.candidates.first)
    try files.save("x", blobs.reference(kept))
    var count = 0
    while !collector.candidates.isEmpty {
      count += try files.store.write { try collector.deleteSome(in: $0, maximumSize: 1) }
    }
    #expect(count == 3)
    #expect(try self.digests() == [kept])
  }

  @Test func unreadableDocumentPreventsDeletion() throws {
    let digest = try blobs.store(.bytes(Data("x".utf8)))
    try files.save("x", blobs.reference(digest))
    try files.store.withoutTransaction { try $0.execute(sql: "UPDATE \"_default._default\" SET body = '{oops'") }
    expectStoreError(.corrupt) { try files.store.deleteUnreferencedBlobs() }
    #expect(try digests() == [digest])
  }

  @Test func deletionIsRefusedInsideABatch() throws {
    try files.store.write { _ in expectStoreError(.misuse) { try files.store.deleteUnreferencedBlobs() } }
  }
}

@Suite struct BlobVerificationTests {
  @Test(arguments: [
    ("DELETE FROM concordance_blob_chunk WHERE number = 1", "its chunk 1 is missing"),
    ("DELETE FROM concordance_blob_chunk WHERE number = 2", "has 524288 bytes in 2 chunks, but should have 524388"),
    ("UPDATE concordance_blob SET length = 7", "but should have 7"),
    ("UPDATE concordance_blob_chunk SET content = zeroblob(262144) WHERE number = 0", "its content has the digest"),
    ("UPDATE concordance_blob_chunk SET content = substr(content, 2) WHERE number = 0", "has 524387 bytes"),
    ("PRAGMA foreign_keys = 0; DELETE FROM concordance_blob; PRAGMA foreign_keys = 1", "3 chunks belong to"),
    ("DELETE FROM concordance_blob", "document \"x\" refers to the blob"),
  ])
  func damageIsReported(sql: String, expected: String) throws {
    let blobs = try BlobTests()
    let digest = try blobs.store(.bytes(BlobTests.bytes(2 * BlobTests.chunk + 100)))
    try blobs.files.save("x", blobs.reference(digest))
    #expect(try blobs.findings() == [])
    try blobs.files.store.withoutTransaction { try $0.execute(sql: sql) }
    let findings = try blobs.findings()
    #expect(findings.contains { $0.contains(expected) }, "\(findings)")
    // A reader detects missing chunks, but only verification detects wrong bytes.
    let isReadable = expected.contains("digest")
    #expect(((try? blobs.content(digest)) != nil) == isReadable)
  }
}
