import BLIP
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test(arguments: [0, 1, 16_000, 16_380, 16_381, 50_000, 1_000_000], [MessageFlags(), .compressed])
  func messagesOfAnySizeArrive(size: Int, flags: MessageFlags) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    let body = (0..<size).map { _ in UInt8.random(in: 0...63, using: &generator) }
    let pipe = try Pipe()
    let ticket = try pipe.one.send(Message(flags: flags, properties: ["Profile": "rev"], body: body))
    guard case .request(let number, let request)? = try pipe.run().other.first else {
      Issue.record("the request has not arrived")
      return
    }
    #expect(request.properties["Profile"] == "rev")
    #expect(request.body == body)
    try pipe.other.respond(to: number, Message(flags: flags, properties: ["a": "b"], body: body.reversed()))
    guard case .response(let answered, let response)? = try pipe.run().one.first else {
      Issue.record("the response has not arrived")
      return
    }
    #expect(answered == ticket)
    #expect(response.body == body.reversed())
  }

  /// Compressed and uncompressed frames of several messages share checksums, and the compressed ones a window.
  @Test(arguments: 0..<10) func mixedMessagesArriveInOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pipe = try Pipe()
    var bodies: [[UInt8]] = []
    for _ in 0..<30 {
      let size = Int.random(in: 0...60_000, using: &generator)
      let letter = UInt8.random(in: 0...255, using: &generator)
      bodies.append((0..<size).map { $0 % 7 == 0 ? letter : UInt8(truncatingIfNeeded: $0 / 11) })
      var flags: MessageFlags = Bool.random(using: &generator) ? .compressed : []
      if Bool.random(using: &generator) { flags.insert(.urgent) }
      try pipe.one.send(Message(flags: flags.union(.noReply), body: bodies[bodies.count - 1]))
    }
    let received = try pipe.run().other.compactMap(\.message?.body)
    #expect(received.sorted { $0.count < $1.count } == bodies.sorted { $0.count < $1.count })
    #expect(try pipe.other.nextFrame() == nil)
  }

  @Test func aLargeMessageWaitsForAcknowledgements() throws {
    let pipe = try Pipe()
    try pipe.one.send(Message(flags: .noReply, body: [UInt8](repeating: 1, count: 1 << 20)))
    var frames: [[UInt8]] = []
    while let frame = try pipe.one.nextFrame() { frames.append(frame) }
    // 128,000 bytes are reached with the eighth frame.
    #expect(frames.count == 8)
    #expect(frames.allSatisfy { $0.count <= 16_384 + 2 })
    for frame in frames { _ = try pipe.other.receive(frame) }
    let acknowledgement = try #require(try pipe.other.nextFrame())
    // Number 1, flags urgent, no reply, type 4, and 65,536 as a varint.
    #expect(acknowledgement == [0x01, 0x34, 0x80, 0x80, 0x04])
    _ = try pipe.one.receive(acknowledgement)
    #expect(try pipe.one.nextFrame() != nil)
  }

  @Test func anUrgentMessageOvertakesALargeOne() throws {
    let pipe = try Pipe()
    try pipe.one.send(Message(flags: .noReply, body: [UInt8](repeating: 1, count: 100_000)))
    _ = try pipe.one.nextFrame().map { try pipe.other.receive($0) }
    try pipe.one.send(Message(flags: [.noReply, .urgent], body: [2]))
    let events = try pipe.run().other.compactMap(\.message)
    #expect(events.map(\.body.count) == [1, 100_000])
  }

  @Test func framesAreSmallWhileAnUrgentMessageWaits() throws {
    let pipe = try Pipe()
    try pipe.one.send(Message(flags: .noReply, body: [UInt8](repeating: 1, count: 100_000)))
    _ = try pipe.one.nextFrame()
    try pipe.one.send(Message(flags: [.noReply, .urgent], body: [UInt8](repeating: 1, count: 100_000)))
    #expect(try pipe.one.nextFrame()?.count == 4096 + 2)
    #expect(try pipe.one.nextFrame()?.count == 16_384 + 2)
  }

  @Test func requestsStartInTheOrderOfTheirNumbers() throws {
    let pipe = try Pipe()
    for urgent in [false, true, false, true] {
      try pipe.one.send(Message(flags: urgent ? [.noReply, .urgent] : .noReply, body: [1]))
    }
    var numbers: [UInt8] = []
    while let frame = try pipe.one.nextFrame() { numbers.append(frame[0]) }
    #expect(numbers == [1, 2, 3, 4])
  }

  @Test func aStreamedResponseIsNotHeldInMemory() throws {
    let pipe = try Pipe()
    try pipe.one.send(Message(properties: ["Profile": "getAttachment"]), streamsResponse: true)
    _ = try pipe.run()
    let body = CountingBody(count: 3_000_000)
    try pipe.other.respond(to: 1, Message(.response, properties: ["a": "b"]), body: body)
    let events = try pipe.run().one
    guard case .responseBegan(1, .response, let properties)? = events.first, case .responseEnded(1)? = events.last
    else {
      Issue.record("the response has no beginning or no end")
      return
    }
    #expect(properties["a"] == "b")
    var count = 0
    for case .responseBytes(_, let bytes) in events {
      #expect(bytes.count <= 16_384)
      count += bytes.count
    }
    #expect(count == 3_000_000)
    #expect(body.largestPart <= 16_384)
  }

  @Test func aRequestWithoutReplyCannotBeAnswered() throws {
    let pipe = try Pipe()
    try pipe.one.send(Message(flags: .noReply))
    _ = try pipe.run()
    #expect(throws: BLIPError.notAwaited(1)) { try pipe.other.respond(to: 1, Message(.response)) }
  }

  @Test(arguments: [("true", true), ("YES", true), ("1", true), ("0", false), ("no", false)])
  func propertiesHaveTruthValues(text: String, value: Bool) {
    #expect(MessageProperties(dictionaryLiteral: ("p", text)).boolean("p") == value)
  }
}
