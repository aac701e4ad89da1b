import BLIP
import TestSupport
import Testing

@Suite struct HostilePeerTests {
  private func frames(_ messages: [Message]) throws -> [[UInt8]] {
    let connection = try BLIPConnection()
    for message in messages { try connection.send(message) }
    var frames: [[UInt8]] = []
    while let frame = try connection.nextFrame() { frames.append(frame) }
    return frames
  }

  private func error(_ frame: [UInt8]) throws -> BLIPError? {
    let connection = try BLIPConnection()
    do {
      _ = try connection.receive(frame)
      return nil
    } catch { return error }
  }

  @Test func aWrongChecksumIsAnError() throws {
    var frame = try frames([Message(body: [1, 2, 3])])[0]
    frame[4] ^= 1
    #expect(try error(frame) == .wrongChecksum)
  }

  @Test func aGapInTheNumbersIsAnError() throws {
    let all = try frames([Message(body: [1]), Message(body: [2])])
    #expect(try error(all[1]) == .unexpectedNumber(2))
  }

  @Test func requestsThatAreNotAnsweredAreLimited() throws {
    var limits = BLIPConnection.Limits()
    limits.unansweredCount = 2
    let connection = try BLIPConnection(limits: limits)
    let all = try frames([Message(body: [1]), Message(body: [2]), Message(body: [3])])
    for frame in all.prefix(2) { #expect(try connection.receive(frame).count == 1) }
    #expect(throws: BLIPError.tooManyMessages(limit: 2)) { try connection.receive(all[2]) }
  }

  /// A peer that sends requests and reads no responses.
  @Test func responsesThatAreNotSentAreLimited() throws {
    var limits = BLIPConnection.Limits()
    limits.unsentSize = 1000
    let connection = try BLIPConnection(limits: limits)
    let all = try frames((0..<3).map { Message(body: [$0]) })
    for number in 1...2 as ClosedRange<UInt64> {
      _ = try connection.receive(all[Int(number) - 1])
      try connection.respond(to: number, Message(.response, body: [UInt8](repeating: 0, count: 600)))
    }
    #expect(throws: BLIPError.messageTooLarge(limit: 1000)) { try connection.receive(all[2]) }
  }

  @Test func responsesThatWereSentAreNotCounted() throws {
    var limits = BLIPConnection.Limits()
    limits.unsentSize = 1000
    limits.unansweredCount = 1
    let connection = try BLIPConnection(limits: limits)
    for (index, frame) in try frames((0..<10).map { Message(body: [$0]) }).enumerated() {
      _ = try connection.receive(frame)
      try connection.respond(to: UInt64(index) + 1, Message(.response, body: [UInt8](repeating: 0, count: 600)))
      while try connection.nextFrame() != nil {}
    }
  }

  @Test func aResponseWithoutARequestIsAnError() throws {
    #expect(try error([0x01, 0x01, 0x00, 0, 0, 0, 0]) == .unexpectedNumber(1))
  }

  @Test func aFrameAfterTheLastIsAnError() throws {
    let frame = try frames([Message(body: [1])])[0]
    let connection = try BLIPConnection()
    _ = try connection.receive(frame)
    #expect(throws: BLIPError.unexpectedNumber(1)) { try connection.receive(frame) }
  }

  @Test func nothingWorksAfterAnError() throws {
    let connection = try BLIPConnection()
    #expect(throws: BLIPError.self) { try connection.receive([]) }
    #expect(throws: BLIPError.closed) { try connection.receive([0x01]) }
    #expect(throws: BLIPError.closed) { try connection.send(Message()) }
    #expect(throws: BLIPError.closed) { try connection.nextFrame() }
  }

  @Test(
    arguments: [
      [], [0x80], [0x00, 0x00], [0x01], [0x01, 0x03, 0, 0, 0, 0], [0x01, 0x80, 0x01], [0x01, 0x00, 0x00],
      [UInt8](repeating: 0xFF, count: 12), [0x01, 0x04], [0x01, 0x04, 0x80], [0x01, 0x34, 0x01, 0x00],
    ] as [[UInt8]])
  func malformedFramesAreErrors(frame: [UInt8]) throws {
    guard case .malformedFrame? = try error(frame) else {
      Issue.record("\(frame) was accepted")
      return
    }
  }

  /// The sender of this test does not check what a message contains.
  @Test(
    arguments: [[0x05, 0x61], [0x01, 0x61], [0x02, 0x61, 0x00], [0x02, 0xFF, 0x00], [0xFF, 0xFF, 0x7F]] as [[UInt8]])
  func malformedPropertiesAreErrors(content: [UInt8]) throws {
    #expect(try error([0x01, 0x00] + content + HostilePeerTests.checksum(content)) == .malformedProperties)
  }

  @Test func aMessageThatBecomesHugeIsAnError() throws {
    var limits = BLIPConnection.Limits()
    limits.messageSize = 1 << 20
    let connection = try BLIPConnection(limits: limits)
    let zeros = try frames([Message(flags: [.compressed, .noReply], body: [UInt8](repeating: 0, count: 2 << 20))])
    #expect(throws: BLIPError.messageTooLarge(limit: 1 << 20)) {
      for frame in zeros { _ = try connection.receive(frame) }
    }
  }

  @Test func allIncompleteMessagesAreLimited() throws {
    var limits = BLIPConnection.Limits()
    limits.messageCount = 10
    let connection = try BLIPConnection(limits: limits)
    let sender = try BLIPConnection()
    for _ in 0..<12 { try sender.send(Message(flags: .noReply, body: [UInt8](repeating: 0, count: 100_000))) }
    #expect(throws: BLIPError.tooManyMessages(limit: 10)) {
      while let frame = try sender.nextFrame() { _ = try connection.receive(frame) }
    }
  }

  /// It only acknowledges the bytes that were sent, so the message pauses again after 128,000 further bytes.
  @Test func anAcknowledgementOfUnsentBytesAcknowledgesTheSentBytes() throws {
    let connection = try BLIPConnection()
    try connection.send(Message(body: [UInt8](repeating: 0, count: 1_000_000)))
    var size = 0
    while let frame = try connection.nextFrame() { size += frame.count }
    #expect((128_000..<150_000).contains(size))
    _ = try connection.receive([0x01, 0x34, 0xFF, 0xFF, 0x7F])
    size = 0
    while let frame = try connection.nextFrame() { size += frame.count }
    #expect((128_000..<150_000).contains(size))
  }

  /// Frames of real messages with changed bits, cut and repeated.
  @Test(arguments: 0..<12) func changedFramesAreReadOrRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var refusedCount = 0
    for _ in 0..<20 {
      let messages = (0..<4).map { number in
        Message(
          flags: number % 2 == 0 ? [.compressed, .noReply] : .noReply, properties: ["Profile": "changes"],
          body: (0..<Int.random(in: 0...9_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0 / 3) })
      }
      let connection = try BLIPConnection()
      do {
        for var frame in try frames(messages) {
          if Int.random(in: 0..<4, using: &generator) == 0 {
            frame[Int.random(in: 0..<min(frame.count, 40), using: &generator)] ^=
              1 << UInt8.random(in: 0..<8, using: &generator)
          }
          if Int.random(in: 0..<10, using: &generator) == 0 {
            frame.removeLast(Int.random(in: 0...frame.count, using: &generator))
          }
          _ = try connection.receive(frame)
        }
      } catch is BLIPError {
        refusedCount += 1
      }
    }
    #expect(refusedCount > 0)
  }

  /// CRC-32 bit by bit, independent of zlib.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    crc = ~crc
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> UInt32($0)) }
  }
}
