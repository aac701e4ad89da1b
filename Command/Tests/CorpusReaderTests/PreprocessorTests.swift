import Foundation
import Testing

@testable import CorpusReader

@Suite(.timeLimit(.minutes(10))) struct PreprocessorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aCommandThatClosesItsOutputAndContinuesIsStopped() throws {
    let preprocessor = try Preprocessor("*.x=exec > /dev/null; sleep 1000 #")
    let error = #expect(throws: UndecodableText.self) {
      try preprocessor.run(path: folder.write("f.x"), into: ByteBuffer(), limit: 100, seconds: 1)
    }
    // A file that is unreadable keeps its documents.
    #expect(error?.reason.hasSuffix("took more than 1 s") == true && error?.kind == .unreadable)
  }

  @Test func theOutputOfACommandThatWorksAfterClosingItsOutputIsComplete() throws {
    let buffer = ByteBuffer()
    try Preprocessor("*.x=echo text; exec > /dev/null; sleep 0.1 #")
      .run(path: folder.write("f.x"), into: buffer, limit: 100)
    #expect(buffer.array == Array("text\n".utf8))
  }

  @Test func theFileIsTheStandardInput() throws {
    let buffer = ByteBuffer()
    try Preprocessor("*.x=tr a-z A-Z; true").run(path: folder.write("f.x", "text"), into: buffer, limit: 100)
    #expect(buffer.array == Array("TEXT".utf8))
  }

  @Test func aPipeThatReplacedTheFileIsUnreadable() throws {
    let path = folder.path + "/f.x"
    try #require(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: UndecodableText.self) {
      try Preprocessor("*.x=cat").run(path: path, into: ByteBuffer(), limit: 100)
    }
    #expect(error?.kind == .unreadable)
  }

  @Test func aFileThatCannotBeOpenedIsUnreadable() throws {
    let error = #expect(throws: UndecodableText.self) {
      try Preprocessor("*.x=cat").run(path: "/nonexistent", into: ByteBuffer(), limit: 100)
    }
    #expect(error?.kind == .unreadable)
  }
}
