import Concordance
import Foundation
import Testing

/// Many live queries while one thread writes. `LIVE_SCALE_QUERIES` and `LIVE_SCALE_SECONDS` set the size, and the
/// figures are printed.
@Suite(.timeLimit(.minutes(10))) struct LiveScaleTests {
  private let queryCount = Int(ProcessInfo.processInfo.environment["LIVE_SCALE_QUERIES"] ?? "") ?? 100
  private let seconds = Double(ProcessInfo.processInfo.environment["LIVE_SCALE_SECONDS"] ?? "") ?? 1

  /// Writes batches of 100 documents until the time is over.
  ///
  /// - Returns: the number of documents, and the seconds that the batches took.
  private func write(_ files: TemporaryDatabase, from start: Int) throws -> (count: Int, seconds: Double) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var (count, busy) = (0, Duration.zero)
    while clock.now < end {
      busy += try clock.measure {
        try files.database.inBatch {
          for number in 0..<100 {
            let owner = (start + count + number) % queryCount
            try files.save("w\((start + count + number) % 50_000)", #"{"owner": \#(owner), "n": \#(number)}"#)
          }
        }
      }
      count += 100
    }
    return (count, busy / .seconds(1))
  }

  private func residentMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
  }

  private func report(_ label: String, _ written: (count: Int, seconds: Double)) {
    print(
      "live scale: \(queryCount) queries, \(label): \(Int(Double(written.count) / max(written.seconds, 1e-9)))",
      "documents/s while writing, \(written.count) in all, resident \(residentMegabytes()) MB")
  }

  @Test func unaffectedQueriesDoNotDelayTheWriterAndAffectedOnesSeeTheLastState() throws {
    let files = try TemporaryDatabase()
    _ = try files.database.createCollection(name: "other")
    try files.collection.createIndex(withName: "owner", config: ValueIndexConfiguration(["owner", "n"]))
    _ = try write(files, from: 0)
    report("without", try write(files, from: 0))

    let counts = Received<Int>()
    var tokens: [ListenerToken] = []
    for _ in 0..<queryCount {
      let query = try files.database.createQuery("SELECT META().id FROM other")
      tokens.append(query.addChangeListener { counts.add($0.results?.allResults().count ?? -1) })
    }
    counts.wait { $0.count == queryCount }
    report("of another collection", try write(files, from: 0))
    #expect(counts.all.count == queryCount)
    tokens.forEach { $0.remove() }

    let sums = LastValues()
    for owner in 0..<queryCount {
      let query = try files.database.createQuery("SELECT COUNT(*) AS c, SUM(n) AS n FROM _ WHERE owner = $owner")
      query.parameters = Parameters().setInt(owner, forName: "owner")
      query.addChangeListener { change in
        guard let row = change.results?.allResults().first else { return }
        sums.set(owner, [row.int(at: 0), row.int(at: 1)])
      }
    }
    report("all affected", try write(files, from: 1))
    for owner in 0..<queryCount {
      let query = try files.database.createQuery("SELECT COUNT(*) AS c, SUM(n) AS n FROM _ WHERE owner = $owner")
      let row = try query.execute(parameters: Parameters().setInt(owner, forName: "owner")).allResults()[0]
      sums.wait(owner, [row.int(at: 0), row.int(at: 1)])
    }
    report("at the end", (0, 0))
  }

  /// The last value that each query has delivered.
  ///
  /// `@unchecked Sendable`: `values` is accessed only under the lock of `condition`.
  private final class LastValues: @unchecked Sendable {
    private let condition = NSCondition()
    private var values: [Int: [Int]] = [:]

    func set(_ query: Int, _ value: [Int]) {
      condition.withLock {
        values[query] = value
        condition.broadcast()
      }
    }

    func wait(_ query: Int, _ value: [Int]) {
      condition.withLock {
        let limit = Date(timeIntervalSinceNow: 60)
        while values[query] != value {
          guard condition.wait(until: limit) else {
            Issue.record("query \(query) has \(values[query] ?? []), not \(value)")
            return
          }
        }
      }
    }
  }
}
