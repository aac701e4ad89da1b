import Foundation
import Testing

@testable import DocumentStore

@Suite struct SharedSpoolTests {
  private let files: TemporaryStore
  private let shared: SharedSpool

  init() throws {
    files = try TemporaryStore()
    shared = SharedSpool(in: files.folder.url.path)
  }

  private func spool(_ data: Data) throws -> SpoolFile {
    let writer = try SpoolWriter(in: files.folder.url.path)
    try data.withUnsafeBytes { try writer.append($0) }
    return try writer.finish()
  }

  private func content(_ spool: SpoolFile) throws -> Data {
    var content = Data()
    try BlobSource.spool(spool).forEachChunk { content.append(contentsOf: $0) }
    return content
  }

  @Test func blobsShareAFile() throws {
    let contents = [5, 0, BlobSource.chunkSize, BlobSource.chunkSize + 3, 1].map { count in
      Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) })
    }
    let spools = try contents.map { try shared.moving(spool($0)) }
    for (spool, data) in zip(spools, contents) {
      #expect(spool.file === spools[0].file)
      #expect(try content(spool) == data)
      #expect(spool.length == Int64(data.count))
      #expect(try BlobSource.spool(spool).digest().digest == spool.digest)
      try files.store.write {
        try $0.storeBlob(digest: spool.digest, length: spool.length, from: .spool(spool))
      }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func theSharedFileIsReleasedWithItsBlobs() throws {
    var first: SpoolFile? = try shared.moving(spool(Data([1, 2])))
    let isOpen = { [weak file = first?.file] in file != nil }
    #expect(isOpen())
    first = nil
    #expect(!isOpen())
    let second = try shared.moving(spool(Data([3])))
    #expect(second.offset == 0)
    #expect(try content(second) == Data([3]))
  }
}
