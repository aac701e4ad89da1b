import DocumentStore
import Foundation
import JSONText
import Testing

@testable import Concordance

/// The entries of saved documents, which another thread computes.
@Suite struct DeferredAnalysisTests {
  private struct Refusal: Error {}

  /// Records the entries in the order in which they are written.
  private final class Recorder: TermWriter {
    var written: [String] = []

    func insert(_ terms: Int64, rowID: Int64) { written.append("+\(terms) in \(rowID)") }
    func remove(_ terms: Int64, rowID: Int64) { written.append("-\(terms) in \(rowID)") }
  }

  private let files: TemporaryDatabase
  private let recorder = Recorder()

  init() throws { files = try TemporaryDatabase() }

  private func analysis(_ transaction: WriteTransaction, refusing refused: Int64? = nil) -> DeferredAnalysis<Recorder> {
    let makeAnalysis = {
      { (root: JSONElement) throws -> Int64 in
        let number = root["n"]?.int64 ?? 0
        if number == refused { throw Refusal() }
        return number
      }
    }
    return DeferredAnalysis(makeAnalysis, recorder, in: transaction)
  }

  /// Returns a document with a number. Some documents are longer than a batch.
  private func text(_ number: Int) -> [UInt8] {
    let length = number % 97 == 0 ? 40_000 : number % 13 * 200
    return Array(#"{"n":\#(number),"text":"\#(String(repeating: "x", count: length))"}"#.utf8)
  }

  private func stored(_ number: Int) throws -> StoredDocument {
    let id = "\(number)"
    try files.collection.save(document: MutableDocument(id: id, json: String(decoding: text(number), as: UTF8.self)))
    return try #require(try files.database.engine.store.document(id: id, in: files.collection.record))
  }

  @Test func entriesAreWrittenInTheOrderOfTheChanges() throws {
    let previous = try (0..<10).map { try stored($0) }
    try files.database.engine.store.write { transaction in
      let analysis = analysis(transaction)
      var expected: [String] = []
      for number in 0..<3000 {
        let row = Int64(number)
        let old = number % 7 == 0 ? previous[number % 10] : nil
        switch number % 5 {
        case 0:
          try analysis.add(AnalyzedChange(rowID: row, previous: old, document: .terms(row)))
        case 1:
          try analysis.add(AnalyzedChange(rowID: row, previous: previous[3], document: nil))
          expected.append("-3 in \(number)")
          continue
        default:
          try analysis.add(AnalyzedChange(rowID: row, previous: old, document: .text(text(number))))
        }
        // Entries that stay the same are not written.
        if old != nil, number % 10 == number { continue }
        if old != nil { expected.append("-\(number % 10) in \(number)") }
        expected.append("+\(number) in \(number)")
        if number % 1000 == 999 {
          try analysis.write()
          #expect(recorder.written == expected)
        }
      }
      try analysis.write()
      #expect(recorder.written == expected)
      try analysis.write()
      #expect(recorder.written == expected)
    }
  }

  @Test(arguments: [0, 1, 700, 1999] as [Int64]) func analysisThatFailsMakesTheTransactionFail(refused: Int64) throws {
    #expect(throws: Refusal.self) {
      try files.database.engine.store.write { transaction in
        let analysis = analysis(transaction, refusing: refused)
        do {
          for number in 0..<2000 {
            try analysis.add(AnalyzedChange(rowID: Int64(number), previous: nil, document: .text(text(number))))
          }
          try analysis.write()
          Issue.record("the analysis does not fail")
        } catch is Refusal {}
        // Entries of other documents may be written; those after the refused document are not.
        #expect(recorder.written.count <= Int(refused))
        try analysis.write()
        #expect(recorder.written.count <= Int(refused))
      }
    }
  }

  @Test func discardedChangesAreNotWritten() throws {
    try files.database.engine.store.write { transaction in
      let analysis = analysis(transaction)
      for number in 0..<2000 {
        try analysis.add(AnalyzedChange(rowID: Int64(number), previous: nil, document: .text(text(number))))
      }
      let count = recorder.written.count
      analysis.discard()
      try analysis.add(AnalyzedChange(rowID: 5000, previous: nil, document: .text(text(5000))))
      try analysis.write()
      #expect(recorder.written.dropFirst(count) == ["+5000 in 5000"])
    }
  }
}
