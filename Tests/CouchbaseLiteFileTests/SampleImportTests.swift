import Concordance
import Foundation
import Testing

@Suite(.enabled(if: SampleFiles.folder != nil, SampleFiles.absence)) struct SampleImportTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func revisionTreesOfVersion2AreRead() throws {
    let database = try folder.database()
    let summary = try database.importCouchbaseLite(at: SampleFiles.path("v2.7.cblite2"))
    #expect(summary.documentCount == 50)
    #expect(summary.deletedCount == 50)
    #expect(summary.problems.isEmpty)
    let collection = try database.defaultCollection()
    for number in 1...50 {
      let id = "doc-" + String(repeating: "0", count: 3 - "\(number)".count) + "\(number)"
      let document = try #require(try collection.document(id: id))
      #expect(document.int(forKey: "n") == number)
      #expect(document.value(forKey: "even") as? Bool == (number % 2 == 0))
    }
  }

  @Test func tombstonesOfVersion3AreCounted() throws {
    let database = try folder.database()
    let summary = try database.importCouchbaseLite(at: SampleFiles.path("v3.0-names.cblite2"))
    #expect(summary.documentCount == 78)
    #expect(summary.deletedCount == 22)
    let document = try #require(try database.defaultCollection().document(id: "~ssbhKrNqHTiVtZPSAQC9xs"))
    #expect(document.dictionary(forKey: "name")?.string(forKey: "first") == "Lue")
    #expect(document.dictionary(forKey: "name")?.string(forKey: "last") == "Laserna")
  }

  @Test func attachmentsOfVersion1BecomeBlobs() throws {
    let database = try folder.database()
    let summary = try database.importCouchbaseLite(at: SampleFiles.path("v1.3-ios.cblite2"))
    #expect(summary.documentCount == 2)
    #expect(summary.blobCount == 2)
    let document = try #require(try database.defaultCollection().document(id: "doc1"))
    #expect(document.string(forKey: "date") == "2016-07-07T03:12:13.471Z")
    #expect(document.int(forKey: "number") == 1)
    let blob = try #require(document.dictionary(forKey: "_attachments")?.blob(forKey: "attach1"))
    #expect(blob.digest == "sha1-P1i5kI/sosq745/9BDR7kEghKps=")
    #expect(blob.content?.count == 7)
    #expect(summary.notes == ["1 local document not imported"])
  }

  @Test func theFileOfAnotherPlatformIsRead() throws {
    let database = try folder.database()
    let summary = try database.importCouchbaseLite(at: SampleFiles.path("v1.2-net.cblite2"))
    #expect(summary.documentCount == 2)
    let document = try #require(try database.defaultCollection().document(id: "doc1"))
    let blob = try #require(document.dictionary(forKey: "_attachments")?.blob(forKey: "attach1"))
    #expect(blob.length == 38790)
  }

  @Test func anEncryptedFileIsRefused() throws {
    try expectImportError(
      CBLError.unreadableDatabase, "encrypted", at: SampleFiles.path("v2.8-encrypted.cblite2"))
  }

  @Test func importingTwiceChangesNothing() throws {
    let database = try folder.database()
    for _ in 0..<2 { try database.importCouchbaseLite(at: SampleFiles.path("v2.7.cblite2"), existing: .skip) }
    #expect(try database.defaultCollection().count == 50)
  }

  /// Every byte of a page changed, or the file cut: an error or documents, and no other end.
  @Test(arguments: 0..<30) func damagedFilesAreReadOrRefused(seed: Int) throws {
    let bundle = folder.url.appendingPathComponent("damaged.cblite2")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let name = ["v2.7.cblite2", "v3.0-names.cblite2", "v1.3-ios.cblite2"][seed % 3]
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SampleFiles.path("\(name)/db.sqlite3")))
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    for _ in 0..<40 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[100 + Int(state >> 33) % (bytes.count - 100)] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
    }
    if seed % 5 == 0 { bytes.removeLast(bytes.count / 3) }
    try bytes.write(to: bundle.appendingPathComponent("db.sqlite3"))
    let database = try folder.database()
    do {
      try database.importCouchbaseLite(at: bundle.path)
    } catch let error as CBLError {
      #expect(!error.message.isEmpty)
    }
    #expect(try database.defaultCollection().count <= 100)
  }
}
