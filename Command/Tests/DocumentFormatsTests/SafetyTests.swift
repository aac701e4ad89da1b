import DocumentBuilders
import DocumentFormats
import Testing

/// Limits, damage, and the worker process.
struct SafetyTests {
  @Test func decompressedSizeIsLimited() throws {
    let bomb = try ArchiveBuilder.archive(.zip, [("a.txt", [UInt8](repeating: 0x61, count: 4 << 20))])
    #expect(bomb.count < 10_000)
    var limits = ExtractionLimits()
    limits.totalSize = 1 << 20
    #expect(try Extracted(bomb, named: "bomb.zip", limits: limits).fault?.kind == .tooLarge)
    limits = ExtractionLimits()
    limits.partSize = 1 << 20
    let extracted = try Extracted(bomb, named: "bomb.zip", limits: limits)
    #expect(extracted.fault == nil && extracted.failures.map(\.kind) == [.tooLarge] && extracted.parts.isEmpty)
  }

  @Test func ratioOfDecompressedToCompressedBytesIsLimited() throws {
    let bomb = try ArchiveBuilder.archive(
      .zip, (0..<5).map { ("\($0).txt", [UInt8](repeating: 0x61, count: 20 << 20)) })
    let extracted = try Extracted(bomb, named: "bomb.zip")
    #expect(extracted.fault?.kind == .tooLarge && extracted.parts.count == 3)
  }

  @Test func numberOfMembersIsLimited() throws {
    let archive = try ArchiveBuilder.archive(.tar, texts: (0..<20).map { ("\($0).txt", "x") })
    var limits = ExtractionLimits()
    limits.memberCount = 10
    let extracted = try Extracted(archive, named: "a.tar", limits: limits)
    #expect(extracted.parts.count == 10 && extracted.fault?.kind == .tooLarge)
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "a/../../b", "C:/a.txt", "c:\\a", "\\\\server\\x", "a\\..\\..\\b",
  ])
  func namesThatPointOutsideTheArchiveAreReported(name: String) throws {
    let archive = try ArchiveBuilder.archive(.tar, texts: [(name, "x"), ("good.txt", "y")])
    let extracted = try Extracted(archive, named: "a.tar")
    #expect(extracted.failures.map(\.kind) == [.unsafeName] && extracted.texts == ["y"])
  }

  @Test func nameWithALineBreakIsReportedOnOneLine() throws {
    let archive = try ArchiveBuilder.archive(.tar, texts: [("a\nb.txt", "x")])
    let failure = try #require(try Extracted(archive, named: "a.tar").failures.first)
    #expect(failure.member == "a\u{FFFD}b.txt" && failure.reason == "the name contains a control character")
  }

  @Test func declaredEntitiesAreNotExpanded() throws {
    let xml = """
      <!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
      <w:document xmlns:w="w"><w:p><w:t>x&b;&c;y</w:t></w:p></w:document>
      """
    let file = try ArchiveBuilder.archive(.zip, texts: [("word/document.xml", xml)])
    let text = try Extracted(file, named: "a.docx").texts.joined()
    #expect(!text.contains("aaaa") && !text.contains("root:"))
  }

  @Test func missingFileIsUnreadable() throws {
    let extractor = InProcessExtractor()
    #expect(throws: ExtractionFailure.self) {
      try extractor.extract(path: "/nonexistent", name: "a.pdf", limits: ExtractionLimits()) { _ in
      } failure: { _ in
      }
    }
  }

  @Test func crashOfTheWorkerIsAFailureOfTheFile() throws {
    let worker = WorkerExtractor(executable: "/bin/false", arguments: ["false"])
    for _ in 0..<2 { #expect(try Extracted([1], named: "a.rtf", extractor: worker).fault?.kind == .crashed) }
  }

  @Test func unresponsiveWorkerIsStopped() throws {
    var limits = ExtractionLimits()
    limits.seconds = 0
    let worker = WorkerExtractor(executable: "/bin/sleep", arguments: ["sleep", "1000"])
    #expect(try Extracted([1], named: "a.rtf", limits: limits, extractor: worker).fault?.kind == .unavailable)
  }

  @Test func malformedMessageOfTheWorkerIsAFailure() throws {
    let worker = WorkerExtractor(
      executable: "/bin/sh", arguments: ["sh", "-c", "head -c 10 >/dev/null; exec cat /dev/zero >&0"])
    #expect(try Extracted([1], named: "a.rtf", extractor: worker).fault?.kind == .crashed)
  }
}
