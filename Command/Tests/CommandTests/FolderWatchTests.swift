import Foundation
import TestSupport
import Testing

@testable import concord

struct FolderWatchTests {
  /// The differential oracle is a dictionary.
  @Test func removingATreeRemovesTheFoldersBelowIt() {
    var random = SeededGenerator(seed: 24)
    var folders = WatchedFolders()
    var expected: [Int32: String] = [:]
    for watch in Int32(0)..<3000 {
      let depth = Int.random(in: 1...4, using: &random)
      let path = (0..<depth).map { _ in "/" + String(Int.random(in: 0..<4, using: &random)) }.joined()
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let removed = expected.filter { FilePath.is($0.value, in: path) }
        #expect(Set(folders.removeTree(path)) == Set(removed.keys))
        for watch in removed.keys { expected[watch] = nil }
      case 1:
        let removed = Int32.random(in: 0...watch, using: &random)
        folders.remove(watch: removed)
        expected[removed] = nil
      default:
        // The kernel returns a new number for a folder only after it has removed the old one.
        guard !expected.values.contains(path) else { continue }
        folders.insert(path, watch: watch)
        expected[watch] = path
      }
      #expect(folders.path(ofWatch: watch) == expected[watch])
    }
    #expect(Set(folders.removeTree("")) == Set(expected.keys))
  }

  @Test func removingFoldersOneByOneIsLinear() {
    let isLinear = takesLinearTime(10_000) { count in
      var folders = WatchedFolders()
      for watch in 0..<Int32(count) { folders.insert("/home/ann/folder/\(watch)", watch: watch) }
      for watch in 0..<Int32(count) { #expect(folders.removeTree("/home/ann/folder/\(watch)") == [watch]) }
    }
    #expect(isLinear)
  }

  /// A process changes a file that is ignored until the wait ends.
  @Test(.timeLimit(.minutes(10))) func ignoredChangesDoNotExtendTheTimeout() throws {
    let folder = try TemporaryFolder()
    try folder.write("ignored", "")
    let path = FilePath.absolute(folder.file("ignored"))
    let root = String(path.dropLast("/ignored".count))
    let watch = try FolderWatch(roots: [root], ignoring: [path])
    watch.add(root)
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", "while :; do : > '\(path)'; sleep 0.02; done"]
    try writer.run()
    defer {
      writer.terminate()
      writer.waitUntilExit()
    }
    #expect(watch.wait(timeout: 300).isEmpty)
  }
}
