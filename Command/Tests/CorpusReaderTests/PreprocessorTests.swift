@testable import CorpusReader
import Testing

@Suite(.timeLimit(.minutes(10))) struct PreprocessorTests {
  @Test func aCommandThatClosesItsOutputAndContinuesIsStopped() throws {
    let preprocessor = try Preprocessor("*.x=exec > /dev/null; sleep 1000 #")
    let error = #expect(throws: UndecodableText.self) {
      try preprocessor.run(path: "/dev/null", into: ByteBuffer(), limit: 100, seconds: 1)
    }
    // A file that is unreadable keeps its documents.
    #expect(error?.reason.hasSuffix("took more than 1 s") == true && error?.kind == .unreadable)
  }

  @Test func theOutputOfACommandThatWorksAfterClosingItsOutputIsComplete() throws {
    let buffer = ByteBuffer()
    try Preprocessor("*.x=echo text; exec > /dev/null; sleep 0.1 #").run(path: "/dev/null", into: buffer, limit: 100)
    #expect(buffer.array == Array("text\n".utf8))
  }

  @Test func aFileThatCannotBeOpenedIsUnreadable() throws {
    let error = #expect(throws: UndecodableText.self) {
      try Preprocessor("*.x=cat").run(path: "/nonexistent", into: ByteBuffer(), limit: 100)
    }
    #expect(error?.kind == .unreadable)
  }
}
