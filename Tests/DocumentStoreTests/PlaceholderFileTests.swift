import Foundation
import Testing

@testable import DocumentStore

@Suite
struct PlaceholderFileTests {
  @Test
  func aNewFileHasAFolderOfItsOwnThatIsDeletedWithIt() throws {
    let placeholder = try PlaceholderFile()
    let folder = (placeholder.path as NSString).deletingLastPathComponent
    #expect(FileManager.default.fileExists(atPath: folder))
    placeholder.delete()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test
  func aFolderOfAProcessThatEndedIsDeleted() throws {
    let abandoned = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-front-\(UUID())")
    try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: false)
    try makeOld(abandoned.path)
    try PlaceholderFile().delete()
    #expect(!FileManager.default.fileExists(atPath: abandoned.path))
  }

  @Test
  func aFolderInUseStays() throws {
    let placeholder = try PlaceholderFile()
    defer { placeholder.delete() }
    let folder = (placeholder.path as NSString).deletingLastPathComponent
    try makeOld(folder)
    try PlaceholderFile().delete()
    #expect(FileManager.default.fileExists(atPath: folder))
  }

  private func makeOld(_ path: String) throws {
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
  }
}
