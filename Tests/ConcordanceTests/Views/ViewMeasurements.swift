import Concordance
import Foundation
import Testing

/// The number of documents that ``ViewMeasurements`` maps.
private let measuredDocumentCount = ProcessInfo.processInfo.environment["CONCORDANCE_MEASURED_DOCUMENTS"]
  .flatMap { Int($0) }

/// Prints the speed of views if `CONCORDANCE_MEASURED_DOCUMENTS` is set to a number of documents.
/// `swift test -c release` measures the optimized library.
@Suite(.enabled(if: measuredDocumentCount != nil)) struct ViewMeasurements {
  private func measure<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
    let start = ContinuousClock.now
    let result = try body()
    print(name, (start.duration(to: .now) / .milliseconds(1)).formatted(), "ms")
    return result
  }

  @Test func updateRangeAndReduce() throws {
    let count = try #require(measuredDocumentCount)
    let temporary = try TemporaryDatabase()
    let padding = String(repeating: "lorem ipsum ", count: 80)
    try temporary.database.inBatch {
      for number in 0..<count {
        try temporary.save(
          "d\(number)",
          #"{"type":"t\#(number % 50)","name":"n\#(number &* 7919 % count)","price":\#(number % 1000),"x":"\#(padding)"}"#
        )
      }
    }
    let file = URL(fileURLWithPath: temporary.database.path ?? "")
    func size() throws -> Int {
      try [file, URL(fileURLWithPath: file.path + "-wal")].reduce(0) {
        $0 + (try FileManager.default.attributesOfItem(atPath: $1.path)[.size] as? Int ?? 0)
      }
    }
    let before = try size()
    let view = temporary.collection.view(named: "measured")
    try view.setMap(version: "1", reduce: .stats) { document, emit in
      emit([document.string(forKey: "type"), document.string(forKey: "name")] as [Any?], document.int(forKey: "price"))
    }
    try measure("first update of \(count) documents") { try view.update() }
    print("growth of the file", try size() - before, "bytes")
    let range = view.createQuery()
    range.mapOnly = true
    range.startKey = ["t7"]
    range.limit = 100
    _ = try range.run()
    for _ in 0..<3 { _ = try measure("range of 100 rows") { try range.run() } }
    let groups = view.createQuery()
    groups.groupLevel = 1
    for number in 0..<3 {
      try temporary.save("d\(number)", #"{"type":"t1","name":"x","price":5}"#)
      try measure("update after a change") { try view.update() }
      _ = try measure("grouped reduce") { try groups.run() }
    }
  }
}
