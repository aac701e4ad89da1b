import Concordance
@testable import ConcordanceNetwork
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Replication
import Testing

@Suite(.timeLimit(.minutes(10))) struct HandshakeTests {
  @Test func passwordsAreChecked() async throws {
    let listener = try TestListener { $0.password = { $0 == "ann" && $1 == "a:ü" } }
    var options = EndpointConnectionOptions()
    for authenticator in [
      nil, BasicAuthenticator(username: "ann", password: "wrong"), BasicAuthenticator(username: "", password: ""),
    ] {
      options.authenticator = authenticator
      await expectConnectionError(10_401) { try await listener.connect(options) }
    }
    options.authenticator = BasicAuthenticator(username: "ann", password: "a:ü")
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
  }

  @Test func otherPathsAreNotFound() async throws {
    let listener = try TestListener()
    for path in ["/other", "/db/more", "/d"] {
      await expectConnectionError(10_404) { try await listener.connect(path: path) }
    }
    _ = try await listener.connect(path: "/%64b/")
  }

  @Test func theProtocolMustBeOffered() async throws {
    let listener = try TestListener { $0.connections.protocols = ["BLIP_3+CBMobile_9"] }
    await expectConnectionError(10_400) { try await listener.connect() }
    var options = EndpointConnectionOptions()
    options.protocols = ["BLIP_3+CBMobile_4", "BLIP_3+CBMobile_9"]
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
  }

  @Test func connectionsAboveTheLimitAreClosed() async throws {
    let listener = try TestListener { $0.connections.connectionCount = 2 }
    let peers = [TestPeer(try await listener.connect()), TestPeer(try await listener.connect())]
    await expectConnectionError(10_503, isTransient: true) { try await listener.connect() }
    peers[0].transport.close(code: 1000, reason: "")
    let server = TestPeer(try await listener.accepted())
    _ = try await server.events.closure()
    #expect(try await peers[0].events.closure() == .closed(code: 1000, reason: "", isRemote: false))
  }

  /// Clients without permission do not use the connections of others.
  @Test func refusedHandshakesAreNotCountedAsConnections() async throws {
    let listener = try TestListener { settings in
      settings.password = { $0 == "ann" && $1 == "secret" }
      settings.connections.connectionCount = 1
    }
    let sockets = try await withThrowingTaskGroup(of: (any Channel).self) { group in
      let port = try #require(listener.listener.address?.port)
      for _ in 0..<3 {
        group.addTask {
          try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        }
      }
      var sockets: [any Channel] = []
      for try await socket in group { sockets.append(socket) }
      return sockets
    }
    var options = EndpointConnectionOptions()
    options.authenticator = BasicAuthenticator(username: "ann", password: "secret")
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
    for socket in sockets { try await socket.close() }
  }

  /// Browsers open WebSockets to other origins, and send saved passwords.
  @Test(arguments: [
    ("https://evil.example", false, false), ("https://evil.example", true, false), ("null", false, false),
    ("http://127.0.0.1:PORT", false, true), ("http://127.0.0.1:PORT", true, true), ("http://127.0.0.1:1", false, false),
  ]) func pagesOfOtherOriginsAreRefused(origin: String, hasPassword: Bool, isPermitted: Bool) async throws {
    let listener = try TestListener { settings in if hasPassword { settings.password = { _, _ in true } } }
    let port = try #require(listener.listener.address?.port)
    var options = EndpointConnectionOptions()
    options.headers = ["Origin": origin.replacingOccurrences(of: "PORT", with: "\(port)")]
    if hasPassword { options.authenticator = BasicAuthenticator(username: "ann", password: "x") }
    if isPermitted {
      _ = try await listener.connect(options)
    } else {
      await expectConnectionError(10_403) { try await listener.connect(options) }
    }
  }

  @Test func pagesWithoutAnOriginAreRefused() async throws {
    let listener = try TestListener()
    var options = EndpointConnectionOptions()
    options.headers = ["Sec-Fetch-Site": "cross-site"]
    await expectConnectionError(10_403) { try await listener.connect(options) }
  }

  /// A port that was open before could be opened again by another test.
  @Test func closedPortsRefuseConnections() async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:1/db"))
    await expectConnectionError(5019, isTransient: true) {
      try await URLEndpoint(url: url).makeConnector().connect(.init())
    }
  }

  /// The server accepts the connection and never responds.
  @Test func handshakesHaveATimeLimit() async throws {
    try await withServer { channel in
      channel.eventLoop.makeSucceededVoidFuture()
    } _: { url in
      var connector = try URLConnector(ServerAddress(url))
      connector.timeout = .milliseconds(50)
      await expectConnectionError(5003, isTransient: true) { try await connector.connect(.init()) }
    }
  }

  @Test func connectingCanBeCancelled() async throws {
    try await withServer { channel in
      channel.eventLoop.makeSucceededVoidFuture()
    } _: { url in
      let task = Task { try await URLEndpoint(url: url).makeConnector().connect(.init()) }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
  }

  /// A WebSocket server that does not select a protocol is not a server for replication.
  @Test func theServerMustSelectTheProtocol() async throws {
    try await withServer { channel in
      let upgrader = NIOWebSocketServerUpgrader(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
      return channel.pipeline.configureHTTPServerPipeline(
        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    } _: { url in
      await expectConnectionError(11_002) { try await URLEndpoint(url: url).makeConnector().connect(.init()) }
    }
  }

  private func withServer(
    _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>, _ body: (URL) async throws -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer(initializer).bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(server.localAddress?.port)
    try await body(try #require(URL(string: "ws://127.0.0.1:\(port)/db")))
    try await server.close()
  }
}

@Suite struct ConnectionAttemptTests {
  @Test func anAttemptThatFailsClosesItsChannelsAndRefusesFurtherOnes() throws {
    let loop = EmbeddedEventLoop()
    let promise = loop.makePromise(of: WebSocketTransport.self)
    let attempt = ConnectionAttempt(promise, "ws://h/db")
    let channels = [EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop)]
    for channel in channels {
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try attempt.add(channel)
    }
    attempt.fail(CancellationError())
    loop.run()
    #expect(channels.allSatisfy { !$0.isActive })
    let late = EmbeddedChannel(loop: loop)
    #expect(throws: ChannelError.self) { try attempt.add(late) }
    _ = try late.finish()
  }
}

@Suite struct AuthorizationTests {
  @Test(
    arguments: [
      ("Bearer x", "x", nil), ("bearer x", "x", nil), ("Basic YW5uOng=", nil, "ann"), ("BASIC YW5uOng=", nil, "ann"),
      ("Basic x", nil, nil), ("Bearer", nil, nil), ("", nil, nil), (nil, nil, nil), ("Digest x", nil, nil),
    ] as [(String?, String?, String?)]) func theSchemeDecides(value: String?, token: String?, user: String?)
  {
    let header = AuthorizationHeader(value)
    #expect(header?.bearerToken == token)
    #expect(BasicCredentials(header)?.user == user)
  }
}

@Suite struct RequestTests {
  private func address(_ url: String) throws -> ServerAddress { try ServerAddress(try #require(URL(string: url))) }

  @Test(arguments: [
    ("ws://h/db", "ws://h/db", "h", "/db/_blipsync"), ("blip://h:80/db/", "ws://h/db", "h", "/db/_blipsync"),
    ("WSS://h:4984/a/db", "wss://h:4984/a/db", "h:4984", "/a/db/_blipsync"),
    ("blips://[::1]/db", "wss://[::1]/db", "[::1]", "/db/_blipsync"),
    ("wss://h/my%20db", "wss://h/my%20db", "h", "/my%20db/_blipsync"),
  ]) func addressesAreNormalized(url: String, text: String, authority: String, target: String) throws {
    let address = try address(url)
    #expect(address.text == text)
    #expect(address.authority == authority)
    #expect(address.requestTarget == target)
  }

  @Test(arguments: [
    "http://h/db", "ws:///db", "ws://h", "ws://h/", "ws://u:p@h/db", "ws://h:0/db", "ws://h/db?x=1", "ws://h/db#x",
    "db",
  ]) func otherURLsAreErrors(url: String) throws {
    let endpoint = URLEndpoint(url: try #require(URL(string: url)))
    let error = #expect(throws: CBLError.self) { try endpoint.makeConnector() }
    #expect(error?.code == CBLError.invalidParameter)
  }

  @Test func headersAndCookiesAreSent() throws {
    var options = EndpointConnectionOptions()
    options.headers = ["X-Tenant": "a", "Cookie": "x=1", "Host": "other", "Sec-WebSocket-Protocol": "other"]
    options.authenticator = SessionAuthenticator(sessionID: "904ac", cookieName: "SyncGatewaySession")
    let head = try UpgradeRequestHead.make(address("wss://h/db"), options)
    #expect(head.headers["X-Tenant"] == ["a"])
    #expect(head.headers["Cookie"] == ["x=1; SyncGatewaySession=904ac"])
    #expect(head.headers["Host"] == ["h"])
    #expect(head.headers["Sec-WebSocket-Protocol"] == ["BLIP_3+CBMobile_4"])
    options.authenticator = BasicAuthenticator(username: "ann", password: "x")
    #expect(try UpgradeRequestHead.make(address("wss://h/db"), options).headers["Authorization"] == ["Basic YW5uOng="])
  }

  @Test func headersCannotBeInjected() throws {
    var options = EndpointConnectionOptions()
    for (name, value) in [("X", "a\r\nY: b"), ("X\n", "a"), ("", "a"), ("a b", "c")] {
      options.headers = [name: value]
      #expect(throws: CBLError.self) { try UpgradeRequestHead.make(address("wss://h/db"), options) }
    }
    options.headers = [:]
    for session in ["a;b", "a\r\nb"] {
      options.authenticator = SessionAuthenticator(sessionID: session)
      #expect(throws: CBLError.self) { try UpgradeRequestHead.make(address("wss://h/db"), options) }
    }
    options.authenticator = BasicAuthenticator(username: "a:b", password: "")
    #expect(throws: CBLError.self) { try UpgradeRequestHead.make(address("wss://h/db"), options) }
  }
}
