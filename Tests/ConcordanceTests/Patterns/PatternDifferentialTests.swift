import Concordance
import Foundation
import Testing

/// Random pattern conditions over random documents return the same rows with and without a pattern index.
///
/// `CONCORDANCE_PATTERN_SEEDS=1000..<20000 swift test --filter PatternDifferentialTests` runs other seeds.
@Suite struct PatternDifferentialTests {
  private static let chunk: UInt64 = 250

  /// The first seed of each chunk. Each chunk has its own documents.
  private static let starts: [UInt64] = {
    let text = ProcessInfo.processInfo.environment["CONCORDANCE_PATTERN_SEEDS"] ?? "0..<1000"
    let ends = text.split(separator: "..<").compactMap { UInt64($0) }
    guard ends.count == 2, ends[0] < ends[1] else { return [] }
    return Array(stride(from: ends[0] / chunk * chunk, to: ends[1], by: Int(chunk)))
  }()

  /// Documents below and above the number of candidates at which the index is ignored.
  private static let documentCount = 100

  @Test(arguments: starts)
  func indexDoesNotChangeTheRows(start: UInt64) throws {
    let (plain, indexed) = (try TemporaryDatabase(), try TemporaryDatabase())
    var documents = RandomPatternCase(seed: start)
    let texts = (0..<PatternDifferentialTests.documentCount).map { _ in documents.document() }
    for files in [plain, indexed] {
      try files.database.inBatch {
        for (number, text) in texts.enumerated() { try files.save("\(number)", text) }
      }
    }
    let expressions = [["s", "o.t", "a[]", "l[].t"], ["*"], ["s", "a"]][
      Int(start / PatternDifferentialTests.chunk % 3)]
    try indexed.collection.createIndex(
      withName: "patterns", config: PatternIndexConfiguration(expressions))
    for seed in start..<(start + PatternDifferentialTests.chunk) {
      var random = RandomPatternCase(seed: seed &* 7919 &+ 1)
      let condition = random.condition()
      let expected = try ids(condition, plain)
      guard try ids(condition, indexed) != expected else { continue }
      let found = try ids(condition, indexed)
      let wrong = Set(expected).symmetricDifference(found).sorted().compactMap {
        Int($0).map { texts[$0] }
      }
      Issue.record(
        "seed \(seed), index \(expressions): \(condition)\ndiffers for \(wrong.prefix(3))")
      return
    }
  }

  private func ids(_ condition: String, _ files: TemporaryDatabase) throws -> [String] {
    try files.database.createQuery("SELECT META().id FROM _ WHERE \(condition)").execute()
      .compactMap { $0.string(at: 0) }.sorted()
  }
}
