import Concordance
@testable import ConcordanceServer
import Foundation
import Testing

@Suite struct SearchResponseSizeTests {
  @Test func aFullResponseHasOnlyIDsAndScores() async throws {
    let server = try TestServer()
    defer { try? FileManager.default.removeItem(at: server.folder) }
    let notes = try #require(try server.database.collection(name: "notes"))
    let request = SearchRequest("tea")
    let results = try notes.search(request)
    for (size, isFull) in [(1, true), (1 << 20, false)] {
      let writer = SearchResponseWriter(request, results, .init(), maximumSize: size)
      let text = String(decoding: writer.bytes(milliseconds: 1), as: UTF8.self)
      #expect(text.contains("\"id\":\"tea\""), "\(text)")
      #expect(text.contains("\"snippets\":[]") == isFull, "\(text)")
      #expect(text.contains("\"matches\":[]") == isFull, "\(text)")
      #expect(text.contains("the snippets and matches of 1 hits are omitted") == isFull, "\(text)")
      #expect(text.contains("1 of the documents are omitted") == isFull, "\(text)")
    }
    try await server.database.async.close()
  }

  @Test func facetValuesAreOmittedIfTheResponseIsFull() async throws {
    let server = try TestServer()
    defer { try? FileManager.default.removeItem(at: server.folder) }
    let notes = try #require(try server.database.collection(name: "notes"))
    for number in 0..<3 {
      let kind = String(repeating: "\(number)", count: 10_000)
      try notes.save(document: MutableDocument(id: "f\(number)", json: "{\"long\":\"\(kind)\"}"))
    }
    var request = SearchRequest("*")
    request.limit = 0
    request.facets = ["long"]
    let results = try notes.search(request)
    for (size, omitted) in [(130_000, 1), (1 << 20, 0)] {
      let writer = SearchResponseWriter(request, results, .init(), maximumSize: size)
      let text = String(decoding: writer.bytes(milliseconds: 1), as: UTF8.self)
      #expect(text.utf8.count > (3 - omitted) * 10_000 && text.utf8.count < size)
      #expect(text.contains("1 values of facets are omitted") == (omitted > 0), "\(text.suffix(200))")
    }
    try await server.database.async.close()
  }
}
