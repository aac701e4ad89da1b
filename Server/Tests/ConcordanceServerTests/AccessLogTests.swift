@testable import ConcordanceServer
import Foundation
import HTTPTypes
import JSONText
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@Suite struct AccessLogTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("access.jsonl").path }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  /// Sends requests to a server with an access log, then returns its lines.
  private func lines(
    _ messages: LogMessages = LogMessages(), _ body: @escaping @Sendable (TestConnection) async throws -> Void
  ) async throws -> [Answer.Line] {
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = ServerOptions()
    let log = try AccessLog(path: path, logger: messages.makeLogger())
    options.accessLog = log
    try await TestServer(options).run { send in try await body(send) }
    await log.flush()
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { Answer.Line(text: String($0)) }
  }

  @Test func aRequestIsALine() async throws {
    let sent = try await lines { send in
      let answer = try await send(
        .get, "\(TestServer.notes)/search?q=gr%C3%BCn", headers: [.userAgent: "tester/1 \"quoted\""])
      #expect(answer.status == 200)
    }
    #expect(sent.count == 1)
    let line = try #require(sent.first)
    #expect(line["method"] == .string("GET"))
    #expect(line["target"] == .string("\(TestServer.notes)/search?q=gr%C3%BCn"))
    #expect(line["status"] == .int64(200))
    #expect(line["userAgent"] == .string("tester/1 \"quoted\""))
    #expect(line["client"] == .string("127.0.0.1") || line["client"] == .string("::1"))
    #expect(line["isComplete"] == nil)
  }

  @Test func bytesAreThoseThatWereSent() async throws {
    let count = Mutex(0)
    let sent = try await lines { send in
      let answer = try await send(.get, "/openapi.json")
      count.withLock { $0 = answer.text.utf8.count }
    }
    #expect(sent.first?["bytes"] == .int64(Int64(count.withLock { $0 })))
  }

  @Test func bytesOfCompressedResponsesAreFewer() async throws {
    let sent = try await lines { send in
      _ = try await send(.get, "/openapi.json")
      _ = try await send(.get, "/openapi.json", headers: [.acceptEncoding: "gzip"])
    }
    let sizes = sent.map { line -> Int64 in if case .int64(let size)? = line["bytes"] { size } else { -1 } }
    #expect(sizes.count == 2 && sizes[1] > 0 && sizes[1] < sizes[0] / 2, "\(sizes)")
  }

  @Test(arguments: [
    ("/nowhere", 404), ("\(TestServer.notes)/documents/none", 404), ("\(TestServer.notes)/search", 400),
  ])
  func refusedRequestsAreListed(target: String, status: Int) async throws {
    let sent = try await lines { send in _ = try await send(.get, target) }
    #expect(sent.map { $0["status"] } == [.int64(Int64(status))])
  }

  @Test func controlCharactersAreEscaped() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try AccessLog(path: path)
    log.add(.example("/\u{1B}[31m\u{7F}\u{9B}31m\u{E9}"))
    await log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#""target":"/\u001b[31m\u007f\u009b31mé""#), "\(text)")
  }

  /// The client closes its connection before the response, or before its end.
  @Test(arguments: [false, true]) func requestsWithoutACompleteResponseAreListed(hasHead: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try AccessLog(path: path)
    let channel = EmbeddedChannel(handler: AccessLogHandler(log))
    let head = HTTPRequest(method: .get, scheme: nil, authority: "localhost", path: "/slow")
    try channel.writeInbound(HTTPRequestPart.head(head))
    if hasHead {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .continue)))
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "12345")))
    }
    _ = try channel.finish(acceptAlreadyClosed: true)
    await log.flush()
    let line = Answer.Line(text: try String(contentsOfFile: path, encoding: .utf8))
    #expect(line["target"] == .string("/slow") && line["isComplete"] == .boolean(false))
    #expect(line["status"] == (hasHead ? .int64(200) : nil))
    #expect(line["bytes"] == .int64(hasHead ? 5 : 0))
  }

  @Test func aRenamedFileIsReplaced() async throws {
    let renamed = path + ".1"
    let log = try AccessLog(path: path)
    defer { try? FileManager.default.removeItem(at: folder) }
    log.add(.example("/first"))
    await log.flush()
    try FileManager.default.moveItem(atPath: path, toPath: renamed)
    log.add(.example("/second"))
    await log.flush()
    #expect(try String(contentsOfFile: renamed, encoding: .utf8).contains("/first"))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("/second"))
  }

  @Test func linesThatCannotBeWrittenAreCounted() async throws {
    let messages = LogMessages()
    let log = try AccessLog(path: path, logger: messages.makeLogger())
    try FileManager.default.removeItem(at: folder)
    for _ in 0..<2 {
      log.add(.example("/lost"))
      await log.flush()
    }
    #expect(messages.errors == ["requests are missing in the access log"])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    log.add(.example("/kept"))
    await log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("{\"lostLines\":2}\n"))
    #expect(text.split(separator: "\n").count == 2 && text.contains("/kept"))
  }

  /// The reader of a pipe goes away while a line is written.
  @Test func aLineAfterAnIncompleteOneBeginsALine() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    signal(SIGPIPE, SIG_IGN)
    #expect(mkfifo(path, 0o600) == 0)
    let reader = try PipeReader(path)
    var file = try AccessLogFile(path: path)
    let line = String(repeating: "x", count: 999) + "\n"
    Thread.detachNewThread { reader.closeWhenFilled() }
    let lost = file.append(Array(String(repeating: line, count: 200).utf8))
    #expect(lost?.reason.code == .EPIPE)
    let next = try PipeReader(path)
    let first = next.read()
    let isAppended = file.append(Array("next\n".utf8)) == nil
    #expect(isAppended)
    let lines = (first + next.read()).split(separator: "\n")
    next.close()
    #expect(lines.last == "next")
    #expect(lines.count { $0.count == 999 } == 200 - (lost?.count ?? 0))
  }

  @Test func tooManyWaitingLinesAreCounted() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try AccessLog(path: path)
    let long = LoggedRequest.example("/" + String(repeating: "x", count: 5 << 20))
    log.add(long)
    log.add(.example("/kept"))
    await log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("{\"lostLines\":1}\n") && text.contains("/kept"))
  }

  @Test func aFileThatCannotBeOpenedIsAnError() throws {
    try FileManager.default.removeItem(at: folder)
    #expect(
      throws: ServerOptionsError(.unwritableFile(path: path, reason: "No such file or directory"))
    ) { try AccessLog(path: path) }
  }
}

extension LoggedRequest {
  fileprivate static func example(_ target: String) -> LoggedRequest {
    LoggedRequest(time: Date(timeIntervalSince1970: 0), method: "GET", target: target)
  }
}

/// The reading end of a pipe with a name.
private struct PipeReader: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK)
    try #require(descriptor >= 0)
  }

  /// Closes the pipe when it contains bytes.
  func closeWhenFilled() {
    var count: Int32 = 0
    while ioctl(descriptor, UInt(FIONREAD), &count) == 0, count == 0 { sched_yield() }
    close()
  }

  func close() { _ = Foundation.close(descriptor) }

  /// Returns the bytes that the pipe contains.
  func read() -> String {
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &part, part.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += part[..<count]
    }
  }
}
