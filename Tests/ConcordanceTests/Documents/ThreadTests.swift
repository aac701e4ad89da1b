import Concordance
import Foundation
import Testing

/// Objects that are used by many threads at the same time. Also run these tests with the thread sanitizer.
@Suite struct ThreadTests {
  let files: TemporaryDatabase
  var collection: Concordance.Collection { files.collection }

  init() throws { files = try TemporaryDatabase() }

  @Test func manyThreadsReadOneDocument() async throws {
    try files.save("x", #"{"a":{"b":[1,{"c":"d"}]},"n":1.50,"s":"\u00e9"}"#)
    let document = try #require(try collection.document(id: "x"))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let copy = document.toMutable().setInt(2, forKey: "n")
          return document["a"]["b"][1]["c"].string == "d" && document.string(forKey: "s") == "é"
            && document.toJSON().contains("1.50") && document.toDictionary().count == 3 && document == document
            && copy != document && document.dictionary(forKey: "a") === document.dictionary(forKey: "a")
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func manyThreadsEditOneDocument() async throws {
    let document = MutableDocument(id: "x", data: ["list": [Any](), "inner": [String: Any]()])
    let list = try #require(document.array(forKey: "list"))
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            list.addInt(number)
            document["inner"]["\(thread).\(number)"].int = number
            document.setInt(number, forKey: "own \(thread)")
            _ = document.toJSON()
          }
        }
      }
    }
    try collection.save(document: document)
    let read = try #require(try collection.document(id: "x"))
    #expect(read["list"].array?.count == 400 && read["inner"].dictionary?.count == 400 && read.count == 10)
  }

  @Test func conflictHandlersInManyThreadsLoseNoChanges() async throws {
    try files.save("counter", #"{"n":0}"#)
    let collection = collection
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            let mine = try #require(try collection.document(id: "counter")).toMutable()
            mine.setInt(mine.int(forKey: "n") + 1, forKey: "n")
            let isSaved = try collection.save(document: mine) { mine, stored in
              mine.setInt((stored?.int(forKey: "n") ?? 0) + 1, forKey: "n")
              return true
            }
            #expect(isSaved)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try collection.document(id: "counter")?.int(forKey: "n") == 100)
  }

  @Test func readersWritersAndListenersThatSave() async throws {
    let log = try files.database.createCollection(name: "log")
    let collection = collection
    let done = DispatchSemaphore(value: 0)
    let token = collection.addChangeListener { change in
      for id in change.documentIDs {
        let document = MutableDocument(id: id, data: ["seen": true])
        do {
          try log.save(document: document)
        } catch {
          Issue.record(error)
        }
      }
      if log.count == 400 { done.signal() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let own = thread % 2 == 0 ? collection : try files.again().defaultCollection()
          for number in 0..<100 {
            let blob = Blob(contentType: "text/plain", data: Data("\(number % 5)".utf8))
            let document = MutableDocument(id: "\(thread)-\(number)").setBlob(blob, forKey: "blob")
            try own.save(document: document)
            _ = try own.document(id: "\(thread)-\(number / 2)")?.blob(forKey: "blob")?.content
          }
        }
      }
      try await group.waitForAll()
    }
    let isDone = await Task.detached { done.wait(timeout: .now() + 60) == .success }.value
    #expect(isDone)
    token.remove()
    #expect(collection.count == 400 && log.count == 400)
  }
}
