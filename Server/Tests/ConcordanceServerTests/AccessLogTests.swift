@testable import ConcordanceServer
import Foundation
import HTTPTypes
import JSONText
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
    log.add(.example("/lost"))
    await log.flush()
    #expect(messages.errors == ["requests are missing in the access log"])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    log.add(.example("/kept"))
    await log.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("{\"lostLines\":1}\n"))
    #expect(text.split(separator: "\n").count == 2 && text.contains("/kept"))
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
