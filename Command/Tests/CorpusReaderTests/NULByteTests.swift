import CorpusReader
import JSONText
import Testing

/// A NUL byte in one record does not hide the other records of the file.
struct NULByteTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func messages() throws {
    let mailbox = try folder.read("f.mbox", "From a\nSubject: one\0\n\nbody\0one\n\nFrom b\n\nbody two\n")
    #expect(mailbox.documents.count == 2 && mailbox.problems.isEmpty)
    #expect(try mailbox["text"] == .string("body\u{FFFD}one\n\n"))
    #expect(try mailbox["subject"] == .string("one\u{FFFD}"))
    let message = try folder.read("f.eml", "Subject: s\n\nabc\0def\n")
    #expect(try message["text"] == .string("abc\u{FFFD}def\n"))
  }

  @Test func attachmentsWithNULBytesAreBinary() throws {
    let reading = try folder.read(
      "f.eml", "Content-Type: text/plain; charset=utf-8\nContent-Disposition: attachment; filename=a.txt\n\na\0b\n")
    #expect(reading.ids == ["f.eml"] && reading.kinds == [.skippedMember])
  }

  @Test(arguments: [
    ("f.jsonl", "{\"a\":1}\n{\"a\":\"\0\"}\n{\"a\":3}\n"), ("f.json", "[{\"a\":1},\n{\"a\":\"\0\"},{\"a\":3}]"),
    ("f.csv", "a\n1\n\0\n3\n"), ("f.tsv", "a\n1\nx\0\n3\n"),
  ])
  func records(name: String, text: String) throws {
    let reading = try folder.read(name, text)
    #expect(reading.texts == [#"{"a":1}"#, #"{"a":3}"#])
    #expect(reading.problems.map(\.reason) == ["the record contains a NUL byte"])
    #expect(reading.kinds == [.invalidRecord])
  }

  @Test(arguments: ["f.eml", "f.mbox", "f.jsonl", "f.json", "f.csv"])
  func randomBytesAreBinary(name: String) throws {
    var state: UInt32 = 1
    let bytes = (0..<20_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let reading = try folder.read(name, bytes)
    #expect(reading.documents.isEmpty && reading.kinds == [.binary(format: nil)])
  }

  @Test func aFileOfRecordsInAFolderRemainsOne() throws {
    try folder.write("d/records.jsonl", "{\"a\":1}\n{\"a\":\"\0\"}\n")
    try folder.write("d/binary.jsonl", "\0\0\0\n")
    let reader = try CorpusFileReader()
    var formats: [String: CorpusFormat] = [:]
    try CorpusWalker(paths: [folder.path]).walk { file in
      formats[file.name] = reader.checkingFormat(of: file) { _ in }.format
    }
    #expect(formats == ["records.jsonl": .jsonl, "binary.jsonl": .text])
  }
}
