import Concordance
import Foundation
import Testing

/// Documents whose ids are canonically equivalent, but have different bytes.
@Suite(.timeLimit(.minutes(10))) struct EquivalentIDTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func bytes(_ ids: [String]) -> [[UInt8]] { ids.map { Array($0.utf8) } }

  @Test func listenerReceivesBothIDs() throws {
    let changes = Received<[String]>()
    let token = files.collection.addChangeListener { changes.add($0.documentIDs) }
    try files.database.inBatch {
      try files.save(EquivalentIDTests.composed, "{}")
      try files.save(EquivalentIDTests.decomposed, "{}")
    }
    let ids = Array(changes.wait { $0.joined().count == 2 }.joined())
    #expect(bytes(ids) == bytes([EquivalentIDTests.composed, EquivalentIDTests.decomposed]))
    token.remove()
  }

  @Test func documentListenerReceivesOnlyChangesOfItsDocument() throws {
    let changes = Received<String>()
    let ids = Received<String>()
    let queue = DispatchQueue(label: "mine")
    let tokens = [
      files.collection.addDocumentChangeListener(id: EquivalentIDTests.composed, queue: queue) { _ in changes.add("") },
      files.collection.addChangeListener(queue: queue) { $0.documentIDs.forEach(ids.add) },
    ]
    try files.save(EquivalentIDTests.decomposed, "{}")
    try files.save(EquivalentIDTests.composed, "{}")
    // The changes that are delivered together with the second of these are delivered after the earlier ones.
    try files.save("end", "{}")
    ids.wait(for: "end")
    try files.save("later", "{}")
    ids.wait(for: "later")
    #expect(changes.all.count == 1)
    for token in tokens { token.remove() }
  }

  @Test func liveQueryRunsAfterChangesOfBothDocuments() throws {
    try files.database.inBatch {
      try files.save(EquivalentIDTests.composed, #"{"n":0}"#)
      try files.save(EquivalentIDTests.decomposed, #"{"n":0}"#)
    }
    let query = try files.database.createQuery("SELECT n FROM _ WHERE n > 0")
    let results = Received<[Int]>()
    let token = query.addChangeListener(withQueue: nil, minimumInterval: .zero) { change in
      results.add(change.results?.allResults().map { $0.int(at: 0) } ?? [-1])
    }
    results.wait { $0 == [[]] }
    for (changed, other) in [
      (EquivalentIDTests.composed, EquivalentIDTests.decomposed),
      (EquivalentIDTests.decomposed, EquivalentIDTests.composed),
    ] {
      try files.database.inBatch {
        try files.save(changed, #"{"n":5}"#)
        try files.save(other, #"{"n":-1}"#)
      }
      results.wait { $0.last == [5] }
      try files.save(changed, #"{"n":0}"#)
      results.wait { $0.last == [] }
    }
    token.remove()
  }

  @Test func canonicallyEquivalentValuesAreDifferentResults() throws {
    try files.save("a", #"{"t":"\u00e9"}"#)
    let query = try files.database.createQuery("SELECT t FROM _")
    let results = Received<[UInt8]>()
    let token = query.addChangeListener(withQueue: nil, minimumInterval: .zero) { change in
      results.add(Array((change.results?.allResults().first?.string(at: 0) ?? "").utf8))
    }
    results.wait { $0.count == 1 }
    try files.save("a", #"{"t":"e\u0301"}"#)
    results.wait { $0.count == 2 }
    #expect(results.all == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
    token.remove()
  }
}
