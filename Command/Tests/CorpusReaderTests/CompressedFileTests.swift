import CorpusReader
import Foundation
import JSONText
import Testing

@Suite struct CompressedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ name: String, _ base64: String, _ options: CorpusOptions = CorpusOptions()) throws -> Reading {
    try folder.read(name, [UInt8](try #require(Data(base64Encoded: base64))), options)
  }

  /// `# Boats` and `A compressed harbour.`, compressed by gzip, xz, zstd and bzip2.
  private static let pages = [
    ("f.md.gz", "H4sIAAAAAAACA1NWcMpPLCnm4nJUSM7PLShKLS5OTVHISCxKyi8t0uMCALxWfU4fAAAA"),
    (
      "f.md.xz",
      "/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAeIyBCb2F0cwoKQSBjb21wcmVzc2VkIGhhcmJvdXIuCgAAvFZ9TgABMx/u3eVZkEKZDQEAAAAAAVla"
    ),
    ("f.md.zst", "KLUv/QRo+QAAIyBCb2F0cwoKQSBjb21wcmVzc2VkIGhhcmJvdXIuCqX/wKE="),
    ("f.md.bz2", "QlpoOTFBWSZTWcafVIoAAANVgAAQSAEwAD5C3gAgACKHlAyNNNCmTEyDIxzU2QPTHOkMgBVm7D+hdlPi7kinChIY0+qRQA=="),
  ]

  @Test(arguments: pages)
  func typeIsThatOfTheDecompressedName(name: String, content: String) throws {
    let reading = try read(name, content)
    #expect(reading.ids == [name])
    #expect(try reading["name"] == .string(name))
    #expect(try reading["type"] == .string("markdown"))
    #expect(try reading["title"] == .string("Boats"))
    #expect(try reading["text"] == .string("# Boats\n\nA compressed harbour.\n"))
  }

  @Test(arguments: pages)
  func truncatedDataIsDamaged(name: String, content: String) throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: content)))
    let reading = try folder.read(name, [UInt8](bytes[..<(bytes.count / 2)]))
    #expect(reading.kinds == [.damaged])
    #expect(reading.documents.isEmpty)
  }

  /// Distances from the end of each file: for gzip the checksum and the length, for xz the block check, for Zstandard
  /// and bzip2 the checksum of the content.
  @Test(arguments: [(0, 8), (0, 4), (0, 1), (1, 24), (2, 1), (3, 5)] as [(Int, Int)])
  func flippedChecksumByteIsDamage(page: Int, distance: Int) throws {
    let (name, content) = CompressedFileTests.pages[page]
    var bytes = [UInt8](try #require(Data(base64Encoded: content)))
    bytes[bytes.count - distance] ^= 0x10
    let reading = try folder.read(name, bytes)
    #expect(reading.kinds == [.damaged])
    #expect(reading.documents.isEmpty)
  }

  @Test(arguments: pages)
  func flippedDataByteIsDamageOrChangesNothing(name: String, content: String) throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: content)))
    // With another signature it would not be a compressed file.
    for position in bytes.indices.dropFirst(10) {
      var flipped = bytes
      flipped[position] ^= 0x04
      let reading = try folder.read(name, flipped)
      // Some bytes, such as the time in the gzip header, do not matter.
      let isUnchanged =
        try reading.documents.count == 1 && reading["text"] == .string("# Boats\n\nA compressed harbour.\n")
      #expect(reading.kinds == [.damaged] && reading.documents.isEmpty || isUnchanged, "byte \(position)")
    }
  }

  @Test func checksumOfEachMemberIsVerified() throws {
    let member = [UInt8](try #require(Data(base64Encoded: CompressedFileTests.pages[0].1)))
    let text = "# Boats\n\nA compressed harbour.\n"
    #expect(try folder.read("f.md.gz", member + member)["text"] == .string(text + text))
    #expect(try folder.read("f.md.gz", member + [UInt8](repeating: 0, count: 100_000))["text"] == .string(text))
    let size = member.count
    let positions: [Int] = [size - 8, size - 1, size, 2 * size - 8, 2 * size - 1]
    for position in positions {
      var bytes = member + member
      bytes[position] ^= 1
      #expect(try folder.read("f.md.gz", bytes).kinds == [.damaged], "byte \(position)")
    }
    // The last part of the length is missing.
    #expect(try folder.read("f.md.gz", [UInt8](member.dropLast(1))).kinds == [.damaged])
    #expect(try folder.read("f.md.gz", member + [0x1F]).kinds == [.damaged])
  }

  @Test func wrongChecksumOfRecordsIsDamage() throws {
    let content = "H4sIAAAAAAACA6tWykxRslIqMlTSUSoBMgpSE4uUarmqocJGUOG0zHSgKAApVFBVLQAAAA=="
    var bytes = [UInt8](try #require(Data(base64Encoded: content)))
    bytes[bytes.count - 8] ^= 1
    #expect(try folder.read("f.jsonl.gz", bytes).kinds == [.damaged])
  }

  @Test func recordsAreRead() throws {
    #expect(
      try read("f.jsonl.gz", "H4sIAAAAAAACA6tWykxRslIqMlTSUSoBMgpSE4uUarmqocJGUOG0zHSgKAApVFBVLQAAAA==").ids == [
        "r1", "r2",
      ])
  }

  @Test func emptyCompressedFileHasNoText() throws {
    #expect(try read("f.gz", "H4sIAAAAAAACAwMAAAAAAAAAAAA=")["text"] == .string(""))
    #expect(try read("f.xz", "")["text"] == .string(""))
  }

  @Test func uncompressedFileIsReadUnchanged() throws {
    #expect(try folder.read("f.txt.gz", "plain text")["text"] == .string("plain text"))
  }

  @Test func compressedBinaryFilesAreSkipped() throws {
    let tar = try folder.write("x", [UInt8](repeating: 0, count: 10_240))
    try Process.run(URL(fileURLWithPath: "/usr/bin/gzip"), arguments: [tar]).waitUntilExit()
    let reading = try folder.read("f.img.gz", [UInt8](Data(contentsOf: URL(fileURLWithPath: tar + ".gz"))))
    #expect(reading.kinds == [.binary(format: nil)])
  }

  /// 20 MiB of one letter.
  private static let bomb =
    "QlpoOTFBWSZTWZHQLjAAoKKJAIACIAAACCAAMMwFKacaBIE2IEgTxdyRThQkJHQLjAA="

  @Test(arguments: ["f.txt.bz2", "f.jsonl.bz2"])
  func decompressionEndsAtTheLimit(name: String) throws {
    var options = CorpusOptions()
    options.maximumFileSize = 1 << 20
    let reading = try read(name, CompressedFileTests.bomb, options)
    #expect(reading.documents.isEmpty)
    #expect(reading.kinds.contains(.tooLarge))
    #expect(reading.problems.last?.reason == "the file has more than 1048576 bytes when it is decompressed")
  }

  @Test func documentSizeLimitAppliesWithoutAFileSizeLimit() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 1 << 20
    #expect(try read("f.txt.bz2", CompressedFileTests.bomb, options).kinds == [.tooLarge])
  }
}
