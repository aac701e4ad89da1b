import Foundation
import Testing

/// The meaning of paths in `concord grep`.
struct GrepPathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("tree/a.txt", "foo\n")
    try folder.write("tree/d/b.c", "foo\n")
    try folder.write("other/c.txt", "foo\n")
    #expect(try folder.concord("index", "tree", "other").status == 0)
  }

  private func grep(_ arguments: String...) throws -> String {
    try ConcordProcess.run(["grep", "-l", "foo"] + arguments, in: folder).output
  }

  /// Runs grep in another working directory.
  private func grep(in directory: String, _ arguments: String) throws -> CommandResult {
    try ConcordProcess.shell(
      "cd \(directory) && concord -d \(folder.path)/corpus.concord grep -l foo \(arguments)", in: folder)
  }

  @Test func dotIsTheWorkingDirectory() throws {
    let all = "tree/a.txt\ntree/d/b.c\nother/c.txt\n"
    for path in [".", "./", "./."] {
      #expect(try grep(path) == all)
      #expect(try grep(in: "tree", path).output == "tree/a.txt\ntree/d/b.c\n")
      #expect(try grep(in: "tree/d", path).output == "tree/d/b.c\n")
    }
    #expect(try grep(in: "tree/d", "..").output == "tree/a.txt\ntree/d/b.c\n")
    #expect(try grep(in: "tree/d", "../../other").output == "other/c.txt\n")
  }

  @Test func absolutePathIsTheSameFolderAsItsRelativeForm() throws {
    for path in ["tree", "tree/d", "tree/a.txt", "tree/d/", "other", "."] {
      #expect(try grep("\(folder.path)/\(path)") == grep(path), "\(path)")
    }
    #expect(try folder.concord("grep", "foo", "\(folder.path)/tree/a.txt").output == "foo\n")
  }

  /// A path in the working directory selects that file or folder, regardless of the path that was typed for `concord
  /// index` and of its working directory.
  @Test(arguments: ["cd doc && concord index .", "concord index doc", "concord index ./doc/", "concord index $PWD/doc"])
  func relativePathIsTheFolderInTheWorkingDirectory(index: String) throws {
    let folder = try TemporaryFolder()
    for path in ["doc/a.txt", "doc/sub/b.txt", "x/other.txt"] { try folder.write(path, "foo\n") }
    let index = index.replacing("concord", with: "concord -d \(folder.path)/corpus.concord")
    #expect(try ConcordProcess.shell(index, in: folder).status == 0)
    func found(in directory: String, _ path: String) throws -> [String] {
      let result = try ConcordProcess.shell(
        "cd \(directory) && concord -d \(folder.path)/corpus.concord grep -l foo \(path)", in: folder)
      #expect(result.messages == "", "\(directory): \(path)")
      return result.output.split(separator: "\n").map { String($0.split(separator: "/").last ?? "") }.sorted()
    }
    for path in ["./doc", "doc", "doc/", "./doc/", "x/../doc", "./x/../doc/"] {
      #expect(try found(in: ".", path) == ["a.txt", "b.txt"], "\(path)")
    }
    for path in ["../doc", "../doc/", "../x/../doc"] {
      #expect(try found(in: "x", path) == ["a.txt", "b.txt"], "\(path)")
    }
    #expect(try found(in: "doc", "sub") == ["b.txt"])
    #expect(try found(in: "doc", "./sub/b.txt") == ["b.txt"])
    #expect(try found(in: ".", "./doc/a.txt") == ["a.txt"])
  }

  /// An id is a path as typed: it is found from other working directories that have no such file.
  @Test func relativePathIsAnIDIfNoFileWasIndexedThere() throws {
    #expect(try grep(in: "other", "tree/d").output == "tree/d/b.c\n")
    try folder.write("other/tree/new.txt", "foo\n")
    #expect(try grep(in: "other", "tree/d").output == "tree/d/b.c\n")
  }

  @Test func symbolicLinksOfAPathAreResolved() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "tree")
    #expect(try grep("\(folder.path)/link") == "tree/a.txt\ntree/d/b.c\n")
  }

  @Test func folderWithoutIndexedFilesIsAnError() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: true)
    let result = try grep(in: "empty", ".")
    #expect(result.status == 2)
    #expect(result.messages.hasSuffix("/empty: no file was indexed from there\n"))
    #expect(try folder.concord("grep", "-l", "foo", "/nosuch", "tree/d").output == "tree/d/b.c\n")
  }

  /// Documents that were not read from files have only ids.
  @Test func dotSelectsAllDocumentsIfNoFileWasIndexed() throws {
    try folder.write("docs.jsonl", #"{"_id": "/x/1", "t": "foo"}"# + "\n" + #"{"_id": "y", "t": "foo"}"# + "\n")
    #expect(try folder.concord("-d", "new.concord", "import", "docs.jsonl").status == 0)
    #expect(try folder.concord("-d", "new.concord", "grep", "-l", "foo", ".").output == "/x/1\ny\n")
    #expect(try folder.concord("-d", "new.concord", "grep", "-l", "foo", "/x").output == "/x/1\n")
  }
}
