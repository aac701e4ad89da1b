import Concordance
@testable import ConcordanceNetwork
import Foundation
import NIOCore
import NIOSSL
import Replication
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSTests {
  @Test func selfSignedCertificatesAreRefusedByDefault() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(TLSIdentity.createIdentity()) }
    await expectConnectionError(5008) { try await listener.connect() }
    let error = await #expect(throws: ReplicationTransportError.self) { _ = try await listener.connect() }
    #expect(error?.message.hasSuffix(": the server's certificate is not trusted") == true, "\(error?.message ?? "")")
  }

  /// RFC 8996 deprecates TLS 1.0 and 1.1, which NIOSSL accepts by default.
  @Test func olderVersionsOfTLSAreRefused() throws {
    #expect(try TLSIdentity.createIdentity().pem.serverConfiguration.minimumTLSVersion == .tlsv12)
  }

  @Test func selfSignedCertificatesAreAcceptedOnRequest() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(TLSIdentity.createIdentity()) }
    var options = EndpointConnectionOptions()
    options.acceptOnlySelfSignedServerCertificate = true
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
  }

  @Test func issuedCertificatesAreNotSelfSigned() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(Certificates.issued()) }
    var options = EndpointConnectionOptions()
    options.acceptOnlySelfSignedServerCertificate = true
    await expectConnectionError(5008) { try await listener.connect(options) }
  }

  /// The pinned certificate is the leaf or an issuer.
  @Test(arguments: [Certificates.leaf, Certificates.root]) func pinnedCertificatesAreAccepted(pem: String) async throws
  {
    let listener = try TestListener { $0.tls = try ListenerTLS(Certificates.issued()) }
    var options = EndpointConnectionOptions()
    options.pinnedServerCertificate = Data(pem.utf8)
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
  }

  @Test func anotherCertificateThanThePinnedOneIsRefused() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(TLSIdentity.createIdentity()) }
    var options = EndpointConnectionOptions()
    options.pinnedServerCertificate = try TLSIdentity.createIdentity().certs.first
    await expectConnectionError(5008) { try await listener.connect(options) }
    options.pinnedServerCertificate = Data("no certificate".utf8)
    await expectConnectionError(5008) { try await listener.connect(options) }
  }

  /// Regression test: the names of a certificate had to include the host even if the certificate itself was pinned.
  @Test(arguments: [true, false]) func theNameOfAKnownCertificateIsNotChecked(isPinned: Bool) async throws {
    let identity = try TLSIdentity.createIdentity(commonName: "CBLAnonymousCertificate", hosts: [])
    let listener = try TestListener { $0.tls = try ListenerTLS(identity) }
    var options = EndpointConnectionOptions()
    if isPinned {
      options.pinnedServerCertificate = identity.certs.first
    } else {
      options.acceptOnlySelfSignedServerCertificate = true
    }
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
  }

  /// An issuer may have issued certificates to other servers. The certificate is valid for 127.0.0.1.
  @Test func aPinnedIssuerDoesNotReplaceTheCheckOfTheName() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(Certificates.issued()) }
    let port = try #require(listener.listener.address?.port)
    let url = try #require(URL(string: "wss://localhost:\(port)/db"))
    let endpoint = URLEndpoint(url: url)
    var options = EndpointConnectionOptions()
    options.pinnedServerCertificate = Data(Certificates.root.utf8)
    await expectConnectionError(5015) { try await endpoint.makeConnector().connect(options) }
    options.pinnedServerCertificate = Data(Certificates.leaf.utf8)
    let client = TestPeer(try await endpoint.makeConnector().connect(options))
    #expect(try await client.events.next() == .open)
  }

  /// Anyone can append the pinned issuer to a chain; its signature must be verified.
  @Test func anAppendedIssuerIsNotTrusted() throws {
    let root = try #require(try CertificateCheck.certificates(Data(Certificates.root.utf8)).first).toDERBytes()
    let foreign = try #require(TLSIdentity.createIdentity().certs.first)
    #expect(!CertificateCheck.isTrusted([[UInt8](foreign), root], root))
    #expect(!CertificateCheck.isTrusted([], root))
    #expect(!CertificateCheck.isTrusted([[1, 2, 3]], root))
  }

  @Test func theCertificateOfTheServerIsReported() async throws {
    let identity = try TLSIdentity.createIdentity()
    let listener = try TestListener { $0.tls = try ListenerTLS(identity) }
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    var options = EndpointConnectionOptions()
    options.acceptOnlySelfSignedServerCertificate = true
    options.didReceive = { if case .serverCertificate(let data) = $0 { continuation.yield(data) } }
    _ = try await listener.connect(options)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == identity.certs.first)
  }

  @Test func aTLSClientOfAPlainListenerFails() async throws {
    let listener = try TestListener()
    let port = try #require(listener.listener.address?.port)
    let url = try #require(URL(string: "wss://127.0.0.1:\(port)/db"))
    await expectConnectionError(5006) { try await URLEndpoint(url: url).makeConnector().connect(.init()) }
    let error = await #expect(throws: ReplicationTransportError.self) {
      _ = try await URLEndpoint(url: url).makeConnector().connect(.init())
    }
    #expect(error?.message.contains("does not speak TLS; use ws://") == true, "\(error?.message ?? "")")
  }

  @Test func aPlainClientOfATLSListenerIsToldToUseTLS() async throws {
    let listener = try TestListener { $0.tls = try ListenerTLS(TLSIdentity.createIdentity()) }
    let port = try #require(listener.listener.address?.port)
    let url = try #require(URL(string: "ws://127.0.0.1:\(port)/db"))
    let error = await #expect(throws: ReplicationTransportError.self) {
      _ = try await URLEndpoint(url: url).makeConnector().connect(.init())
    }
    #expect(error?.message.contains("if it requires TLS, use wss://") == true, "\(error?.message ?? "")")
  }

  @Test func certificatesOfClientsAreChecked() async throws {
    let (known, unknown) = (try TLSIdentity.createIdentity(), try TLSIdentity.createIdentity())
    let check = try ListenerCertificateAuthenticator(rootCerts: known.certs).makeCheck()
    let listener = try TestListener { $0.tls = try ListenerTLS(TLSIdentity.createIdentity(), checkClient: check) }
    var options = EndpointConnectionOptions()
    options.acceptOnlySelfSignedServerCertificate = true
    options.authenticator = ClientCertificateAuthenticator(identity: known)
    let client = TestPeer(try await listener.connect(options))
    #expect(try await client.events.next() == .open)
    for authenticator in [nil, ClientCertificateAuthenticator(identity: unknown)] {
      options.authenticator = authenticator
      await #expect(throws: ReplicationTransportError.self) { _ = try await listener.connect(options) }
    }
  }
}

@Suite struct TLSIdentityTests {
  private static let bundle = Data(
    base64Encoded: """
      MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcBMFcGCSqGSI\
      b3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhQqah5FRjLSAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEG3+hJEDQjH1kBNE1gN0nRuA\
      ggHQpkF7c55lfNqlTYpBcjPO1qpJWBiLsIozzRoRQf0DeRQV+ba2nQz/9+ODYllgnaIdeDUccJeoqqGOWibUVFwiqP67ytL/A1NBwjsSyNpe+u\
      nsDQWVIKuMrroJpy07bSzhLDIO7c/BI2cY7kdVj23hTrtjiIWXFosKV0oPyzvHPWTketFe6DWTz1pTz1/fL2I3TO++r2gLYgbmfez7gT/oZzcx\
      n60xnGNawMXZsYJ8ZZjVAXTUJq10/leUb5zWCNedTEXLois0oNYwT1AGsWDqrtmsH7978WN0zRVmkk/1EtMpCwhZFtasbo/wocRX6SCTHMWRWy\
      Zr0Cykl2Pi8XgDGzqWk219lwsoiMjlhRCXS4zuV4ZuRNosoJSXFzvQc3sgLCk3oaqkPMRePYFo+h2sySEUewtjZxnn8Wl6VNFL1n2t0599BJLE\
      E6kZlzAfVtVPXsXaYvq6WNoKHoF+iTwkIHnCC4iklMvLnxll4kHJq1dQx20MqoK+B1LBPqMb6USi7Y5i4pYU9ulsdEYr4a6ixoebejJwNL6aVj\
      EGjbAVVbPVbk2Gmgaoq6uk+zvfAdg0dX9mF53TP8zasijj+WY1hNpjFBoonOOzmzodLCH8JeowggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASow\
      ggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIYwGpUQPOmKQCAggAMAwGCCqGSIb3DQIJBQAwHQ\
      YJYIZIAWUDBAEqBBD5ilmvlA5XWt7yGb8rx1+6BIGQX5bnhqDCIYHpDv8cAY/+rJZY0KhAeSazsNDDIRsssB3Js/uh1f6By5zDcsfJfrYBhkrp\
      0F4pUfhe9cKE+AdxGf+W65Fpjd1MVuBgg5/E/KcktJRZig58fm4V1BNkp6zQTFqY7BdWAX6NK6PsXfum9F4IDA/zlSe50sXR5lh8CNRjEFdXRu\
      OnjKdr30+Az99yMSUwIwYJKoZIhvcNAQkVMRYEFP1HzpXCAjLaUzbeGJPOPsqozDfvMEEwMTANBglghkgBZQMEAgEFAAQg4d5fGoKC/k54hBu5\
      8nae9dKcat1xr00VTk0lj1C5SFcECJaOkKG8pQe6AgIIAA==
      """)
  private static let bundleWithoutKey = Data(
    base64Encoded: """
      MIIClwIBAzCCAk0GCSqGSIb3DQEHAaCCAj4EggI6MIICNjCCAjIGCSqGSIb3DQEHBqCCAiMwggIfAgEAMIICGAYJKoZIhvcNAQcBMFcGCSqGSI\
      b3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgbxlH2S/9H7QICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPrXcuFCwz/XGkdAFU4LQx6A\
      ggGwND82/NwVs4c3jISQsoIbPJQlvkz2ouQVHYVu3r1hKTROvQDTS1EC/tC08uxazxi+PsNiu6i1lOmp19n2FuFk8lRILi24GnzQgc2sFhi1Vb\
      POLC9dNDM1dj1PMQTDaVlzlpCZLdE3mFDb13KKXTDeOa3sWFd9i55KMU5wt9xkaYYUqBV1CCHwRhmsqUw2pHIDgYbBnqtmuE7Kk3iHBrgnF6mm\
      oaiETNwy/ZEWRxmjrvPj6ksSw4GRCMKTWUW6BwQDB/7IAwOlhW6T6SPX2aoUSeZFnB/8Kq1HiXur5xMtxJxlsAMsDbfbw7gJu7PrxmArmbOO7+\
      xMiPkbhuV31oszkZKhDtS09gUbij29xmMs/jEsj40mIU34QyAv9rtjmUtYU7Y2zoysmKHVYZiN7mpTZWz1x9FZ1xmVKc2Yp42ARe4JXttU5xAu\
      zxMj2j6ZUDkJF50eY5Xey9kVQf9RdLTPdyo6RIMXsLOWvm2PUgs/T7H9WzUZ53enaPiKAj13GvIGNY4xOJ1GYVDenTM9z3A+sE0VfE/4Vni/lM\
      4Uu3QpUWaqgDpxhqB2y2K+/9pGv6pDMEEwMTANBglghkgBZQMEAgEFAAQgeZgYxzGQpiAIBZQn83fOwl9EYahaJERcfB7L83TY0qAECLCm+iGu\
      53JBAgIIAA==
      """)

  @Test func bundlesOfPKCS12AreRead() throws {
    let data = try #require(TLSIdentityTests.bundle)
    let identity = try TLSIdentity.importIdentity(withData: data, password: "secret")
    #expect(identity.certs.count == 1)
    #expect(identity.expiration > Date())
  }

  @Test func damagedPKCS12IsAnError() throws {
    let data = try #require(TLSIdentityTests.bundle)
    for (bytes, password) in [
      (data, "wrong"), (data, nil), (data.dropLast(100), "secret"), (Data(), "secret"),
      (try #require(TLSIdentityTests.bundleWithoutKey), "secret"),
    ] {
      let error = #expect(throws: CBLError.self) {
        try TLSIdentity.importIdentity(withData: Data(bytes), password: password)
      }
      #expect(error?.code == CBLError.crypto)
    }
  }

  @Test func damagedPEMIsAnError() throws {
    for (certificate, key) in [("", ""), (Certificates.leaf, ""), (Certificates.leaf, Certificates.leaf), ("x", "y")] {
      let error = #expect(throws: CBLError.self) {
        try TLSIdentity(pemCertificates: Data(certificate.utf8), pemPrivateKey: Data(key.utf8))
      }
      #expect(error?.code == CBLError.crypto)
    }
  }

  @Test func messagesNameTheMalformedPart() throws {
    let other = try TLSIdentity.createPEM(commonName: "Test", hosts: [], lifetime: 60)
    for (certificate, key, message) in [
      (Data("x".utf8), other.key, "the certificate is not valid PEM"),
      (other.certificate, Data("x".utf8), "the private key is not valid PEM"),
      (Data(Certificates.leaf.utf8), other.key, "the private key does not belong to the certificate"),
    ] {
      let error = #expect(throws: CBLError.self) {
        try TLSIdentity(pemCertificates: certificate, pemPrivateKey: key)
      }
      #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
  }

  @Test func createdIdentitiesHaveTheirLifetime() throws {
    let identity = try TLSIdentity.createIdentity(
      commonName: "Test", hosts: ["example.org", "10.0.0.1"], lifetime: 3600)
    #expect(abs(identity.expiration.timeIntervalSinceNow - 3600) < 120)
    let leaf = try #require(identity.certs.first)
    #expect(CertificateCheck.isSelfSigned([UInt8](leaf)))
    #expect(
      try CertificateCheck.certificates(Data(identity.pemCertificates.utf8)).map { Data(try $0.toDERBytes()) }
        == identity.certs)
    for hosts in [["a,b"], [""], ["a b"]] {
      #expect(throws: CBLError.self) { try TLSIdentity.createIdentity(hosts: hosts) }
    }
    #expect(throws: CBLError.self) { try TLSIdentity.createIdentity(commonName: "") }
    #expect(throws: CBLError.self) { try TLSIdentity.createIdentity(lifetime: .infinity) }
  }
}
