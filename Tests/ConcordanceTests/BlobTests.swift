import DocumentStore
import Foundation
import GRDB
import Synchronization
import Testing

@testable import Concordance

@Suite struct BlobTests {
  let files: TemporaryDatabase
  var database: Concordance.Database { files.database }
  static let chunk = 256 << 10

  init() throws { files = try TemporaryDatabase() }

  static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }) }

  func file(_ name: String, _ data: Data) throws -> URL {
    let url = files.folder.url.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  /// Returns the content of a stream, read in parts whose lengths cycle through these sizes.
  func read(_ stream: InputStream?, pieces: [Int] = [4096]) throws -> Data {
    let stream = try #require(stream)
    stream.open()
    defer { stream.close() }
    var content = Data()
    var number = 0
    while stream.hasBytesAvailable {
      var buffer = [UInt8](repeating: 0, count: pieces[number % pieces.count])
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count < 0, let error = stream.streamError { throw error }
      if count <= 0 { break }
      content.append(contentsOf: buffer[..<count])
      number += 1
    }
    return content
  }

  func stored(_ blob: Blob) throws -> Blob {
    try #require(try database.getBlob(properties: blob.properties))
  }

  func blobCount() throws -> Int {
    try database.engine.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_blob") ?? -1 }
  }

  /// Regression test: the content was nil, and the digest unknown.
  @Test func theContentIsReadAfterAnInterruption() throws {
    let data = BlobTests.bytes(2 * BlobTests.chunk)
    let blob = Blob(contentType: "a/b", data: data)
    try database.saveBlob(blob: blob)
    let saved = try stored(blob)
    let interruption = Interruption()
    try interruption.begin()
    interruption.interrupt()
    Interruption.$current.withValue(interruption) {
      #expect(saved.content == data)
      #expect(Blob(contentType: "a/b", contentStream: InputStream(data: data)).content == data)
      #expect(Blob(contentType: "a/b", contentStream: InputStream(data: data)).contentStream != nil)
      #expect(Blob(contentType: "a/b", contentStream: InputStream(data: data)) == saved)
      #expect(Blob(contentType: "a/b", data: data) == saved)
    }
  }

  @Test func aBlobIsPreparedWhenItsDigestIsKnown() throws {
    let data = BlobTests.bytes(10)
    let blobs = [
      Blob(contentType: "a/b", data: data), Blob(contentType: "a/b", contentStream: InputStream(data: data)),
    ]
    for blob in blobs {
      #expect(!blob.isPrepared)
      try blob.prepare(for: database)
      // Does not wait for the lock.
      let read = Received<Bool>()
      let received = blob.withState { _ in
        Thread.detachNewThread { read.add(blob.isPrepared) }
        return read.wait { !$0.isEmpty }
      }
      #expect(received == [true])
    }
    let fromFile = try Blob(contentType: "a/b", fileURL: file("content", data))
    try fromFile.prepare(for: database)
    // The file may change before it is stored.
    #expect(!fromFile.isPrepared)
    try database.saveBlob(blob: fromFile)
    #expect(fromFile.isPrepared)
    #expect(try stored(fromFile).isPrepared)
  }

  @Test func blobInMemoryIsSavedAndRead() throws {
    let data = Data("a\0b".utf8)
    let blob = Blob(contentType: "text/plain", data: data)
    #expect(blob.digest == nil)
    #expect(blob.content == data)
    #expect(blob.length == 3)
    try database.saveBlob(blob: blob)
    let digest = try #require(blob.digest)
    #expect(digest.hasPrefix("sha1-") && digest.hasSuffix("="))
    let again = try stored(blob)
    #expect(again.content == data)
    #expect(try read(again.contentStream) == data)
    #expect(again.contentType == "text/plain")
    #expect(again.length == 3)
    #expect(again == blob)
    #expect(again.description == "Blob[text/plain; 3 bytes]")
    #expect(
      again.toJSON() == "{\"@type\":\"blob\",\"content_type\":\"text/plain\",\"digest\":\"\(digest)\",\"length\":3}")
    #expect(blob.toJSON() == again.toJSON())
    #expect(Set(blob.properties.keys) == ["@type", "content_type", "digest", "length"])
    #expect(try database.verify() == [])
  }

  @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk + 5])
  func dataFilesAndStreamsCreateEqualBlobs(count: Int) throws {
    let data = BlobTests.bytes(count)
    let blobs = [
      Blob(contentType: "a/b", data: data),
      try Blob(contentType: "a/b", fileURL: file("content", data)),
      Blob(contentType: "a/b", contentStream: InputStream(data: data)),
    ]
    for blob in blobs { try database.saveBlob(blob: blob) }
    #expect(try blobCount() == 1)
    try FileManager.default.removeItem(at: files.folder.url.appendingPathComponent("content"))
    #expect(Set(blobs).count == 1)
    for blob in blobs + [try stored(blobs[0])] {
      #expect(blob.content == data)
      #expect(blob.length == UInt64(count))
      #expect(try read(blob.contentStream, pieces: [1, 7, BlobTests.chunk, 65_537, 3]) == data)
      // Each stream starts at the beginning.
      #expect(try read(blob.contentStream) == data)
      #expect(blob.contentStream?.streamError == nil)
    }
    // No temporary file remains.
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path)
    #expect(names.allSatisfy { $0.hasPrefix("test.concord") }, "\(names)")
  }

  @Test func contentCanBeReadBeforeSaving() throws {
    let data = BlobTests.bytes(BlobTests.chunk + 9)
    let read = Blob(contentType: "a/b", contentStream: InputStream(data: data))
    #expect(read.length == 0)
    #expect(read.toJSON() == "{\"@type\":\"blob\",\"content_type\":\"a\\/b\"}".replacing("\\/", with: "/"))
    #expect(read.content == data)
    #expect(read.content == data)
    #expect(read.length == UInt64(data.count))
    let streamed = Blob(contentType: "a/b", contentStream: InputStream(data: data))
    #expect(try self.read(streamed.contentStream) == data)
    #expect(try self.read(streamed.contentStream) == data)
    #expect(streamed == read)
    #expect(streamed.digest == nil)
    let file = try Blob(contentType: "a/b", fileURL: file("content", data))
    #expect(file.length == UInt64(data.count))
    #expect(try self.read(file.contentStream) == data)
    for blob in [read, streamed, file] {
      try database.saveBlob(blob: blob)
      #expect(try stored(blob).content == data)
    }
    #expect(Blob(contentType: "a/b", data: data.dropLast()) != read)
  }

  @Test func badFilesAreRefused() throws {
    let url = files.folder.url
    expectError(CBLError.invalidParameter) {
      _ = try Blob(contentType: "a/b", fileURL: #require(URL(string: "https://example.com/x")))
    }
    expectError(CBLError.notFound) { _ = try Blob(contentType: "a/b", fileURL: url.appendingPathComponent("none")) }
    expectError(CBLError.invalidParameter) { _ = try Blob(contentType: "a/b", fileURL: url) }
    let deleted = try Blob(contentType: "a/b", fileURL: file("gone", Data("x".utf8)))
    try FileManager.default.removeItem(at: url.appendingPathComponent("gone"))
    expectError(CBLError.notFound) { try database.saveBlob(blob: deleted) }
    #expect(deleted.content == nil)
    #expect(deleted.contentStream == nil)
    #expect(try blobCount() == 0)
  }

  @Test func fileThatChangesBetweenPrepareAndInstallIsRefusedOnce() throws {
    let url = try file("log", BlobTests.bytes(1000))
    let blob = try Blob(contentType: "a/b", fileURL: url)
    try blob.prepare(for: database)
    let json = blob.toJSON()
    _ = try file("log", BlobTests.bytes(2000))
    // The document contains the previous digest, so the stored content must match it.
    #expect(blob.toJSON() == json)
    try database.engine.write { transaction in
      expectError(CBLError.ioError) { try blob.install(in: transaction, database: database) }
    }
    #expect(try blobCount() == 0)
    try database.saveBlob(blob: blob)
    #expect(try stored(blob).content == BlobTests.bytes(2000))
  }

  @Test func failingStreamThrowsOnEachSave() throws {
    let blob = Blob(contentType: "a/b", contentStream: BrokenStream(data: Data()))
    expectError(CBLError.ioError) { try database.saveBlob(blob: blob) }
    expectError(CBLError.ioError) { try database.saveBlob(blob: blob) }
    #expect(blob.content == nil)
    #expect(blob.contentStream == nil)
    #expect(blob != Blob(contentType: "a/b", contentStream: BrokenStream(data: Data())))
    #expect(try blobCount() == 0)
  }

  @Test func streamIsReadOutsideTheTransaction() throws {
    let other = try files.again().defaultCollection()
    let stream = CallingStream(data: Data("slow".utf8)) {
      // Throws busy if the stream is read inside the transaction.
      try? other.save(document: MutableDocument(id: "meanwhile", data: [:]))
    }
    try database.saveBlob(blob: Blob(contentType: "a/b", contentStream: stream))
    #expect(try files.collection.document(id: "meanwhile") != nil)
  }

  /// The stream uses the blob that it belongs to, so no lock may be held.
  @Test func blobCanBeInspectedWhileItsStreamIsRead() throws {
    let data = Data("slow".utf8)
    let descriptions = Received<String>()
    let read = Received<Blob>()
    let stream = CallingStream(data: data) {
      for blob in read.all { descriptions.add("\(blob.length) \(blob.digest ?? "nil") \(blob) \(blob.toJSON())") }
    }
    let blob = Blob(contentType: "a/b", contentStream: stream)
    read.add(blob)
    try database.saveBlob(blob: blob)
    let expected = #"0 nil Blob[a/b; a stream] {"@type":"blob","content_type":"a/b"}"#
    #expect(Set(descriptions.all) == [expected])
    #expect(blob.content == data && blob.length == 4)
  }

  @Test func threadsWaitForTheContentOfAStream() throws {
    let data = Data("slow".utf8)
    let begun = DispatchSemaphore(value: 0)
    let calls = Received<Bool>()
    let read = Received<Blob>()
    let contents = Received<Data?>()
    let stream = CallingStream(data: data) {
      calls.add(true)
      guard calls.all.count == 1, let blob = read.all.first else { return }
      #expect(blob.length == 0)
      Thread.detachNewThread {
        begun.signal()
        contents.add(blob.content)
      }
      begun.wait()
    }
    let blob = Blob(contentType: "a/b", contentStream: stream)
    read.add(blob)
    contents.add(blob.content)
    contents.wait { $0.count == 2 }
    #expect(contents.all == [data, data])
  }

  /// A stream whose bytes depend on the content of its blob cannot be read, but does not wait for itself.
  @Test func streamCannotReadItsOwnBlob() throws {
    let data = Data("slow".utf8)
    let read = Received<Blob>()
    let results = Received<Bool>()
    let stream = CallingStream(data: data) {
      for blob in read.all {
        results.add(blob.content == nil && blob != Blob(contentType: "a/b", data: data))
        expectError(CBLError.ioError, "uses the content of the same blob") { try database.saveBlob(blob: blob) }
      }
    }
    let blob = Blob(contentType: "a/b", contentStream: stream)
    read.add(blob)
    try database.saveBlob(blob: blob)
    #expect(Set(results.all) == [true])
    #expect(blob.content == data)
  }

  @Test func blobCanBeSavedAgainAfterARollback() throws {
    struct Refusal: Error {}
    let data = BlobTests.bytes(BlobTests.chunk + 1)
    let blobs = [
      Blob(contentType: "a/b", data: data), Blob(contentType: "a/b", contentStream: InputStream(data: data)),
      try Blob(contentType: "a/b", fileURL: file("content", data)),
    ]
    for blob in blobs {
      expectRollback(by: Refusal.self) {
        try database.inBatch {
          try database.saveBlob(blob: blob)
          #expect(blob.digest != nil)
          #expect(try read(blob.contentStream) == data)
          throw Refusal()
        }
      }
      #expect(blob.digest == nil)
      #expect(blob.content == data)
      #expect(try blobCount() == 0)
    }
    for blob in blobs {
      try database.inBatch {
        expectRollback(by: Refusal.self) {
          try database.inBatch {
            try database.saveBlob(blob: blob)
            throw Refusal()
          }
        }
        #expect(blob.digest == nil)
        try database.saveBlob(blob: blob)
        // Again in the same batch.
        try database.saveBlob(blob: blob)
        try database.saveBlob(blob: Blob(contentType: "c/d", data: data))
      }
      #expect(try stored(blob).content == data)
    }
    #expect(try blobCount() == 1)
    #expect(try database.verify() == [])
  }

  @Test func batchDoesNotRetainItsBlobs() throws {
    weak var held: Blob?
    try database.inBatch {
      do {
        let blob = Blob(contentType: "a/b", data: BlobTests.bytes(1000))
        held = blob
        try database.saveBlob(blob: blob)
      }
      #expect(held == nil)
    }
  }

  @Test func blobOfAnotherDatabaseIsCopied() throws {
    let data = BlobTests.bytes(2 * BlobTests.chunk)
    let other = try TemporaryDatabase()
    let original = Blob(contentType: "a/b", contentStream: InputStream(data: data))
    try other.database.saveBlob(blob: original)
    let found = try #require(try other.database.getBlob(properties: original.properties))
    #expect(try database.getBlob(properties: original.properties) == nil)
    try database.saveBlob(blob: found)
    try other.database.close()
    #expect(try stored(original).content == data)
    #expect(found.content == data)
    expectError(CBLError.notOpen) { try other.database.saveBlob(blob: original) }
  }

  @Test func missingContentIsAnError() throws {
    let json = #"{"@type":"blob","digest":"sha1-AAAA","length":4}"#
    let decoded = try JSONDecoder().decode(Blob.self, from: Data(json.utf8))
    #expect(decoded.content == nil)
    #expect(decoded.contentStream == nil)
    #expect(decoded.length == 4)
    expectError(CBLError.notFound) { try database.saveBlob(blob: decoded) }
    let error = #expect(throws: CBLError.self) { try database.saveBlob(blob: decoded) }
    #expect(error?.message.contains("sha1-AAAA") == true)
    // If the content is stored, the digest is sufficient.
    let data = Blob(contentType: "a/b", data: Data("here".utf8))
    try database.saveBlob(blob: data)
    let name = Blob(digest: try #require(data.digest), length: nil, contentType: nil, database: nil)
    try database.saveBlob(blob: name)
    #expect(name.content == Data("here".utf8))
    #expect(name.length == 4)
  }

  @Test func contentOfAClosedDatabaseIsNil() throws {
    let blob = Blob(contentType: "a/b", data: BlobTests.bytes(3 * BlobTests.chunk))
    try database.saveBlob(blob: blob)
    let found = try stored(blob)
    let stream = try #require(found.contentStream)
    stream.open()
    var byte: UInt8 = 0
    #expect(stream.read(&byte, maxLength: 1) == 1)
    try database.close()
    #expect(found.content == nil)
    #expect(found.contentStream == nil)
    var rest = [UInt8](repeating: 0, count: BlobTests.chunk)
    #expect(stream.read(&rest, maxLength: rest.count) == BlobTests.chunk - 1)
    #expect(stream.read(&rest, maxLength: rest.count) == -1)
    #expect((stream.streamError as? CBLError)?.code == CBLError.notOpen)
    #expect(stream.streamStatus == .error)
  }

  @Test(.filesOnly("damages a file")) func damagedContentIsReported() throws {
    let blob = Blob(contentType: "a/b", data: BlobTests.bytes(3 * BlobTests.chunk))
    try database.saveBlob(blob: blob)
    let found = try stored(blob)
    try database.engine.store.withoutTransaction {
      try $0.execute(sql: "DELETE FROM concordance_blob_chunk WHERE number = 1")
    }
    #expect(found.content == nil)
    let error = #expect(throws: CBLError.self) { try read(found.contentStream) }
    #expect(error?.code == CBLError.corruptData)
    expectError(CBLError.corruptData) { try database.performMaintenance(type: .integrityCheck) }
    try database.engine.store.withoutTransaction { try $0.execute(sql: "UPDATE concordance_blob SET length = 1 << 60") }
    #expect(found.content == nil)
  }

  @Test func compactingDeletesUnreferencedBlobs() throws {
    let kept = Blob(contentType: "a/b", data: BlobTests.bytes(5000))
    let unused = Blob(contentType: "a/b", data: BlobTests.bytes(BlobTests.chunk * 8))
    for blob in [kept, unused] { try database.saveBlob(blob: blob) }
    let found = try stored(unused)
    try files.save("x", #"{"picture":\#(kept.toJSON())}"#)
    let other = try files.again()
    try other.performMaintenance(type: .compact)
    #expect(try blobCount() == 1)
    #expect(try stored(kept).content == BlobTests.bytes(5000))
    #expect(found.content == nil)
    if TestStore.isFile {
      let size = try FileManager.default.attributesOfItem(atPath: #require(database.path))[.size] as? Int ?? 0
      #expect(size < 300_000)
    }
    // A blob with content can be saved again; a blob with only a digest cannot.
    expectError(CBLError.notFound) { try database.saveBlob(blob: found) }
    try database.saveBlob(blob: unused)
    #expect(found.content == BlobTests.bytes(BlobTests.chunk * 8))
    try files.collection.purge(id: "x")
    try database.performMaintenance(type: .compact)
    #expect(try blobCount() == 0)
    try database.inBatch {
      expectError(CBLError.transactionNotClosed) { try database.performMaintenance(type: .compact) }
    }
  }

  @Test func propertiesAreCheckedAndRead() throws {
    let digest = "sha1-AAAA"
    let good: [[String: Any]] = [
      ["@type": "blob", "digest": digest], ["@type": "blob", "digest": digest, "length": 1, "content_type": "a/b"],
      ["@type": "blob", "digest": digest, "length": UInt64(7)], ["@type": "blob", "digest": digest, "length": 7.0],
      ["@type": "blob", "digest": digest, "length": NSNumber(value: 1), "more": true],
    ]
    let bad: [[String: Any]] = [
      [:], ["@type": "blob"], ["digest": digest], ["@type": "other", "digest": digest], ["@type": "blob", "digest": 7],
      ["@type": "blob", "digest": digest, "length": "7"], ["@type": "blob", "digest": digest, "length": true],
      ["@type": "blob", "digest": digest, "content_type": 1],
    ]
    for properties in good {
      #expect(Blob.isBlob(properties: properties), "\(properties)")
      #expect(Blob.stored(properties, in: database)?.digest == digest)
      #expect(try database.getBlob(properties: properties) == nil)
    }
    #expect(Blob.stored(good[1], in: nil)?.length == 1)
    #expect(Blob.stored(good[3], in: nil)?.length == 7)
    #expect(Blob.stored(good[4], in: nil)?.length == 1)
    for properties in bad {
      #expect(!Blob.isBlob(properties: properties), "\(properties)")
      #expect(Blob.stored(properties, in: database) == nil)
      expectError(CBLError.invalidParameter) { _ = try database.getBlob(properties: properties) }
    }
  }

  @Test func blobsAreEncodedAndDecoded() throws {
    struct Hotel: Codable, Equatable { var picture: Blob }
    let hotel = Hotel(picture: Blob(contentType: "image/jpeg", data: Data("x".utf8)))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(hotel), as: UTF8.self)
    #expect(json == "{\"picture\":\(hotel.picture.toJSON())}")
    let decoded = try JSONDecoder().decode(Hotel.self, from: Data(json.utf8))
    #expect(decoded == hotel)
    #expect(decoded.picture.hashValue == hotel.picture.hashValue)
    #expect(decoded.picture.contentType == "image/jpeg")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Blob.self, from: Data(#"{"@type":"x","digest":"y"}"#.utf8))
    }
  }

  @Test func readOnlyDatabaseReadsButDoesNotStoreBlobs() throws {
    let blob = Blob(contentType: "a/b", data: Data("x".utf8))
    try database.saveBlob(blob: blob)
    let reader = try files.again(readOnly: true)
    #expect(try reader.getBlob(properties: blob.properties)?.content == Data("x".utf8))
    for fresh in [
      Blob(contentType: "a/b", data: Data("y".utf8)),
      Blob(contentType: "a/b", contentStream: InputStream(data: Data("z".utf8))),
    ] {
      expectError(CBLError.notWriteable) { try reader.saveBlob(blob: fresh) }
      #expect(fresh.content?.count == 1)
    }
  }

  @Test func manyThreadsSaveAndReadTheSameContent() throws {
    let failures = Atomic(0)
    let database = database
    let shared = Blob(contentType: "a/b", contentStream: InputStream(data: BlobTests.bytes(BlobTests.chunk + 3)))
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      do {
        let blob = number % 2 == 0 ? shared : Blob(contentType: "a/b", data: BlobTests.bytes(BlobTests.chunk + 3))
        try database.saveBlob(blob: blob)
        if blob.content != BlobTests.bytes(BlobTests.chunk + 3) { failures.add(1, ordering: .relaxed) }
      } catch {
        failures.add(1, ordering: .relaxed)
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try blobCount() == 1)
  }
}

/// A stream whose reads always fail.
private final class BrokenStream: InputStream {
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { -1 }
}

/// A stream that calls a closure while it is read.
private final class CallingStream: InputStream {
  private let data: Data
  private let call: () -> Void
  private var isAtEnd = false

  init(data: Data, _ call: @escaping () -> Void) {
    self.data = data
    self.call = call
    super.init(data: data)
  }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    call()
    defer { isAtEnd = true }
    return isAtEnd ? 0 : data.copyBytes(to: UnsafeMutableBufferPointer(start: buffer, count: len))
  }
}
