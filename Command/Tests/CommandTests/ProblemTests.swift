import Foundation
import Testing

/// Input that cannot be read completely.
struct ProblemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func malformedLineDoesNotAffectOtherLines() throws {
    try folder.write(
      "r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r2\", oops\n{\"id\":\"r3\",\"t\":\"pear\"}\n")
    let result = try folder.concord("index", "--json", "r.jsonl")
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: r.jsonl:2: "))
    #expect(try JSONText(result.lines[0]).int("errors") == 1)
    #expect(try folder.search("pear") == ["r1", "r3"])
  }

  @Test func hugeLineIsReportedAndTheRestKept() throws {
    let path = folder.file("huge.jsonl")
    try folder.write("huge.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n{\"id\":\"r2\",\"t\":\"")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<100 { try handle.write(contentsOf: piece) }
    try handle.write(contentsOf: Data("\"}\n{\"id\":\"r3\",\"t\":\"pear\"}\n".utf8))
    try handle.close()
    let result = try folder.concord("index", "huge.jsonl")
    #expect(result.status == 0)
    #expect(result.messages.contains("concord: huge.jsonl:2: the record has 1048576"))
    #expect(try folder.search("pear") == ["r1", "r3"])
    var usage = rusage()
    #expect(getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0)
    var own = rusage()
    #expect(getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own) == 0)
    // The peak of all child processes in KiB. Each starts with the memory of this process until it executes the
    // command.
    #expect(usage.ru_maxrss < max(400 << 10, own.ru_maxrss + (64 << 10)))
  }

  /// The sizes of sparse files may add up to more than the maximum of `Int64`. Few file systems permit such files.
  @Test func sumOfSizesIsLimited() throws {
    let result = try ConcordProcess.shell(
      """
      folder=$(mktemp -d -p /dev/shm) || exit 3
      if truncate -s 7E $folder/a.txt $folder/b.txt; then concord index $folder; echo $?; else echo 0; fi
      rm -r $folder
      """, in: folder)
    if result.status == 3 { return }
    #expect(result.lines == ["0"], "\(result.messages)")
  }

  @Test func unknownCharacterSetSkipsAFileAndIsAnErrorForARecord() throws {
    try folder.write("bad.txt", Data("a".utf8 + [0x81] + " ".utf8 + [0xC3, 0x28, 0x9D, 0x8F] + " pear\n".utf8))
    try folder.write("good.txt", "pear")
    let skipped = try folder.concord("index", "-v", ".")
    #expect(skipped.status == 0)
    #expect(skipped.messages.contains("bad.txt: neither UTF-8 nor"))
    try folder.write("bad.jsonl", Data("{\"id\":\"r1\",\"t\":\"pear ".utf8 + [0xFF, 0xFE, 0xC0] + "\"}\n".utf8))
    let failed = try folder.concord("index", "bad.jsonl")
    #expect(failed.status == 2)
    #expect(failed.messages.contains("concord: bad.jsonl:1: not UTF-8"))
    #expect(try folder.search("pear") == ["good.txt"])
  }

  @Test func missingPathCreatesNoDatabase() throws {
    let result = try folder.concord("index", "nowhere")
    #expect(result.status == 2)
    #expect(result.messages == "concord: nowhere: No such file or directory\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
  }

  @Test func skippedFilesAreCountedByKindAndListedOnRequest() throws {
    try folder.write("a.txt", "apple")
    for name in ["b.png", "c.png"] { try folder.write(name, Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])) }
    try folder.write("d.bin", Data([0x50, 0, 0, 1]))
    try folder.write("e.txt", String(repeating: "x", count: 2000))
    try folder.write("f.txt.gz", Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 20)))
    let result = try folder.concord("index", "--max-filesize", "1K", ".")
    #expect(result.status == 0)
    #expect(
      result.messages.hasPrefix(
        "concord: skipped 5 files: 2 PNG, 1 above the size limit, 1 binary, 1 with damaged compressed data; -v lists them\n1 document"
      ))
    // The advice also works for the next run, which does not open these files again.
    let again = try folder.concord("index", "-v", "--max-filesize", "1K", ".")
    for line in ["b.png: skipped, PNG", "d.bin: skipped, binary", "f.txt.gz: skipped, with damaged compressed data"] {
      #expect(again.messages.contains(line + "\n"), "\(line)")
    }
    #expect(again.messages.contains("5 unchanged"))
    let listed = try folder.concord("index", "-v", "-d", "other.concord", "--max-filesize", "1K", ".")
    for line in ["b.png: binary file (PNG)", "d.bin: binary file", "e.txt: the file has 2000 bytes"] {
      #expect(listed.messages.contains(line + "\n") || listed.messages.contains(line + ","), "\(line)")
    }
  }

  /// Inputs that took minutes, in `../shared/data/cases`.
  private static let cases = ["bombkey.md", "bombkey2.md", "attr100k.html"].map {
    URL(fileURLWithPath: Corpora.path).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared/data/cases/\($0)").path
  }

  @Test(.enabled(if: cases.allSatisfy { FileManager.default.fileExists(atPath: $0) }, "the inputs are missing"))
  func hostileInputsAreReadInBoundedTime() throws {
    let cases = ProblemTests.cases
    let result = try ConcordProcess.run(["index"] + cases, in: folder, limit: 30)
    #expect(result.status == 0)
    #expect(result.messages.contains("front matter of 2 files cannot be read and is indexed as text; -v lists them"))
    #expect(result.messages.contains("3 documents in all"))
  }

  @Test func frontMatterOfAnAttachmentIsNotThatOfItsMessage() throws {
    let text = "---\na: [1\n---\n# Tea\n"
    try folder.write("a.md", text)
    try folder.write(
      "f.eml",
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwords\n--b\n"
        + "Content-Disposition: attachment; filename=\"tea.md\"\nContent-Type: text/markdown\n\n\(text)--b--\n")
    let first = try folder.concord("index", ".")
    #expect(first.messages.contains("front matter of 2 files cannot be read and is indexed as text; -v lists them"))
    let again = try folder.concord("index", "-v", ".")
    #expect(again.messages.contains("a.md: front matter cannot be read, indexed as text\n"))
    #expect(!again.messages.contains("f.eml: front matter"))
  }

  @Test func referenceToAMissingBlobIsAnErrorOfItsRecord() throws {
    let blob = #"{"@type":"blob","digest":"sha1-xxxxxxxxxxxxxxxxxxxxxxxxxxx=","length":5}"#
    try folder.write("r.jsonl", "{\"_id\":\"a\",\"b\":\(blob)}\n{\"_id\":\"c\"}\n")
    for command in ["import", "index"] {
      let result = try folder.concord(command, "-d", "\(command).concord", "r.jsonl")
      #expect(result.status == 2)
      #expect(result.messages.contains("concord: r.jsonl:1: the document \"a\" refers to the blob sha1-xxx"))
      #expect(try folder.concord("verify", "-d", "\(command).concord").status == 0)
      #expect(try folder.concord("get", "-d", "\(command).concord", "c").status == 0)
    }
    #expect(try folder.concord("put", "-d", "put.concord", "a", "{\"b\":\(blob)}").status == 2)
  }

  /// A small file is damaged before its first record, a large one after some records.
  @Test(arguments: [3, 60_000])
  func truncatedCompressedFileKeepsItsDocuments(count: Int) throws {
    let random = (1...count).map { "{\"id\":\($0),\"t\":\"apple \(UInt64.random(in: 0 ... .max))\"}\n" }.joined()
    try folder.write("a.jsonl", random)
    #expect(try ConcordProcess.shell("gzip a.jsonl", in: folder).status == 0)
    #expect(try folder.concord("index", "a.jsonl.gz").status == 0)
    let whole = try folder.read("a.jsonl.gz")
    try folder.write("a.jsonl.gz", whole.prefix(whole.count / 2))
    for _ in 1...2 {
      let cut = try folder.concord("index", "--json", "a.jsonl.gz")
      #expect(cut.status == 2)
      #expect(cut.messages.contains("a.jsonl.gz: the compressed data is damaged"))
      #expect(try JSONText(try #require(cut.lines.first)).int("documents") == count)
    }
    try folder.write("a.jsonl.gz", whole)
    let again = try folder.concord("index", "--json", "a.jsonl.gz")
    #expect(again.status == 0, "\(again.messages)")
    #expect(try JSONText(try #require(again.lines.first)).int("documents") == count)
  }

  @Test func quietSuppressesMessages() throws {
    try folder.write("a.txt", "apple")
    try folder.write("b.png", Data([0x89, 0x50, 0, 0, 1]))
    let result = try folder.concord("index", "-q", ".")
    #expect(result.output.isEmpty)
    #expect(result.messages.isEmpty)
    #expect(try folder.concord("search", "-q", "apple").messages.isEmpty)
    #expect(!(try folder.concord("index", "-q", "nowhere").messages.isEmpty))
  }
}
