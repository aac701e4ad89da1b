import Foundation
import Testing

@testable import DocumentStore

@Suite
struct FrontFileTests {
  @Test
  func aNewFileHasAFolderOfItsOwnThatIsDeletedWithIt() throws {
    let front = try FrontFile()
    let folder = (front.path as NSString).deletingLastPathComponent
    #expect(FileManager.default.fileExists(atPath: folder))
    front.delete()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test
  func aFolderOfAProcessThatEndedIsDeleted() throws {
    let abandoned = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-front-\(UUID())")
    try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: false)
    try makeOld(abandoned.path)
    try FrontFile().delete()
    #expect(!FileManager.default.fileExists(atPath: abandoned.path))
  }

  @Test
  func aFolderInUseStays() throws {
    let front = try FrontFile()
    defer { front.delete() }
    let folder = (front.path as NSString).deletingLastPathComponent
    try makeOld(folder)
    try FrontFile().delete()
    #expect(FileManager.default.fileExists(atPath: folder))
  }

  private func makeOld(_ path: String) throws {
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
  }
}
