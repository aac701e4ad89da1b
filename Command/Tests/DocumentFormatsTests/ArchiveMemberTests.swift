import DocumentBuilders
import DocumentFormats
import Testing

/// Links, names and errors of archives.
struct ArchiveMemberTests {
  @Test func hardLinksAreReported() throws {
    let archive = try ArchiveBuilder.archive(
      .tar, [("a.txt", Array("one".utf8)), ("empty.txt", [])], links: [("b.txt", "a.txt")])
    let extracted = try Extracted(archive, named: "a.tar")
    #expect(extracted.fault == nil && extracted.parts.map(\.member) == ["a.txt", "empty.txt"])
    #expect(extracted.failures.map(\.member) == ["b.txt"])
    #expect(extracted.failures.map(\.reason) == ["a hard link to a.txt"])
  }

  /// The name is in the header of the member and in the directory of the archive; checksums do not include it.
  @Test func namesInZIPArchivesAreInCodePage437UnlessTheyAreUTF8() throws {
    var archive = try ArchiveBuilder.archive(.zip, texts: [("caf_.txt", "one"), ("ü.txt", "two")])
    let name = Array("caf_.txt".utf8)
    for start in 0..<archive.count - name.count where archive[start..<start + name.count].elementsEqual(name) {
      archive[start + 3] = 0x82
    }
    let extracted = try Extracted(archive, named: "a.zip")
    #expect(extracted.fault == nil && extracted.parts.map(\.member) == ["café.txt", "ü.txt"])
  }

  @Test func errorsOfTheLibraryAreOneLine() throws {
    var archive = try ArchiveBuilder.archive(.tgz, texts: [("a.txt", String(repeating: "lighthouse ", count: 1000))])
    archive.removeLast(20)
    for bytes in [archive, Array("text".utf8), Array(repeating: 0x41, count: 2000)] {
      let extracted = try Extracted(bytes, named: "a.tar.gz")
      let reasons = extracted.failures.map(\.reason) + [extracted.fault?.reason ?? ""]
      #expect(reasons.allSatisfy { !$0.contains { $0.isNewline } && $0.last?.isWhitespace != true })
    }
  }
}
