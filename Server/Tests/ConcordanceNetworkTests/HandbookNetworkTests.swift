import Concordance
import ConcordanceNetwork
import Foundation
import Testing

/// The Swift of the handbook's section on replication over a network, compiled and run.
@Suite(.timeLimit(.minutes(10))) struct HandbookNetworkTests {
  @Test func endpointAndListenerAreConfigured() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("travel.concord").path)
    let hotels = try database.createCollection(name: "hotels")
    let password = "secret"
    // `openssl passwd -6 -salt abc secret`
    let users =
      "ann:$6$abc$IdWKNKTJEb8LxY7CGg8YBXlvtfZzFw7Mp/r6niK9YB2mdvgY..TKjv1T..8RadRt2qvUHYRLr/TsVArtr91iR1\n"

    var config = ReplicatorConfiguration(
      collections: .fromCollections([hotels]), target: URLEndpoint(url: URL(string: "wss://example.org:4984/travel")!))
    config.authenticator = BasicAuthenticator(username: "ann", password: password)

    var listening = URLEndpointListenerConfiguration(collections: [hotels])
    listening.authenticator = try PasswordFile(text: users).authenticator
    let listener = URLEndpointListener(config: listening)
    try listener.start()
    print(listener.urls ?? [])

    #expect(listener.urls?.first?.scheme == "wss")
    #expect(config.replicatorType == .pushAndPull)
    listener.stop()
    try await database.async.close()
  }
}
