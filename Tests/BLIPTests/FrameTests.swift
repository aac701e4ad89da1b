import BLIP
import Testing

/// Bytes from <https://github.com/couchbase/couchbase-lite-core>, and of zlib from Python.
@Suite struct FrameTests {
  private static let request = Message(properties: ["Profile": "getCheckpoint", "client": "x"])
  private static let requestContent =
    [0x1F] + Array("Profile\0getCheckpoint\0client\0x\0".utf8)

  @Test func theFirstFrameIsThatOfTheSpecification() throws {
    let connection = try BLIPConnection()
    try connection.send(FrameTests.request)
    #expect(try connection.nextFrame() == [0x01, 0x00] + FrameTests.requestContent + [0x9F, 0x69, 0x6A, 0x5E])
    #expect(try connection.nextFrame() == nil)
  }

  /// The checksum runs on from the first frame.
  @Test func theChecksumOfTheSecondFrameContinues() throws {
    let connection = try BLIPConnection()
    try connection.send(FrameTests.request)
    try connection.send(FrameTests.request)
    _ = try connection.nextFrame()
    #expect(try connection.nextFrame() == [0x02, 0x00] + FrameTests.requestContent + FrameTests.secondChecksum)
  }

  private static let secondChecksum: [UInt8] = [0xF5, 0x75, 0x60, 0x01]

  @Test func anAnswerHasTheNumberOfItsRequest() throws {
    let connection = try BLIPConnection()
    _ = try connection.receive([0x01, 0x00] + FrameTests.requestContent + [0x9F, 0x69, 0x6A, 0x5E])
    try connection.respond(to: 1, .error(domain: "HTTP", code: 404))
    let frame = try #require(try connection.nextFrame())
    #expect(frame.starts(with: [0x01, 0x02, 33] + Array("Error-Domain\0HTTP\0Error-Code\0404\0".utf8)))
  }

  /// Two frames that Python's zlib has compressed with one window.
  @Test func framesOfAnotherCompressorAreRead() throws {
    let connection = try BLIPConnection()
    let text = String(repeating: "concordance ", count: 20)
    let one = try connection.receive(
      [0x01, 0x28] + FrameTests.bytes("6248cecf4bce2f4a49cc4b4e5518096c0000") + FrameTests.bytes("750dc920"))
    let other = try connection.receive(
      [0x02, 0x28] + FrameTests.bytes("62180c8ea0273b313d31330f00") + FrameTests.bytes("96f47a02"))
    for (events, expected) in [(one, text), (other, text + "again")] {
      guard case .request(_, let message)? = events.first else {
        Issue.record("there is no request")
        continue
      }
      #expect(String(decoding: message.body, as: UTF8.self) == expected)
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
  }
}
