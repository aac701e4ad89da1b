import Foundation
import Testing

/// The state of the database after processes are killed or run concurrently.
@Suite(.serialized)
struct CrashTests {
  private static let recordCount = 320

  /// Large records that are quick to analyze, because only `name` is indexed, so that a run has several transactions.
  private static func records(version: Int) -> String {
    let filler = String(repeating: "x", count: 120_000)
    return (0..<recordCount).map { number in
      "{\"id\":\"r\(number)\",\"name\":\"word\(number) version\(version)\",\"filler\":\"\(filler)\"}\n"
    }.joined()
  }

  @Test func killedRunLeavesAnUndamagedFile() throws {
    let folder = try TemporaryFolder()
    for version in 0..<2 { try folder.write("version\(version)", CrashTests.records(version: version)) }
    let arguments = ["index", "-q", "--fields", "name", "records.jsonl"]
    func useVersion(_ version: Int) throws {
      // A new file each time, with a new modification time.
      _ = try? folder.remove("records.jsonl")
      try FileManager.default.copyItem(
        atPath: folder.file("version\(version)"), toPath: folder.file("records.jsonl"))
    }
    try useVersion(0)
    let start = Date()
    #expect(try ConcordProcess.run(arguments, in: folder).status == 0)
    let duration = Date().timeIntervalSince(start)

    var random = SeededGenerator(seed: 20_261_121)
    var killed = 0
    for round in 0..<20 {
      // Every fifth round starts without a database because its creation must be crash-safe as well.
      if round % 5 == 4 { for end in ["", "-wal", "-shm"] { try? folder.remove("corpus.concord" + end) } }
      try useVersion((round + 1) % 2)
      let process = try ConcordProcess.start(arguments, in: folder)
      usleep(UInt32(Double.random(in: 0...duration, using: &random) * 1_000_000))
      if process.isRunning { killed += 1 }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      guard FileManager.default.fileExists(atPath: folder.file("corpus.concord")) else { continue }
      let check = try folder.concord("verify")
      #expect(check.status == 0, "round \(round): \(check.output)\(check.messages)")
    }
    #expect(killed > 8)

    try useVersion(1)
    #expect(try ConcordProcess.run(arguments, in: folder).status == 0)
    #expect(try folder.concord("search", "--count", "version1").output == "\(CrashTests.recordCount)\n")
    #expect(try folder.concord("search", "--count", "version0").output == "0\n")
    #expect(try folder.concord("verify").status == 0)
    try folder.write("records.jsonl", "")
    #expect(try ConcordProcess.run(arguments, in: folder).status == 0)
    #expect(
      try JSONText(try folder.concord("stats", "--json").lines[0]).objects("collections")?[0]["documents"]
        as? Int == 0)
  }

  @Test func documentsOfAnInterruptedDeletedFileAreRemoved() throws {
    let folder = try TemporaryFolder()
    try folder.write("d/r.jsonl", "{\"id\":\"r1\",\"t\":\"pear\"}\n")
    _ = try folder.concord("index", "d")
    let cut = try ConcordProcess.shell(
      "sqlite3 corpus.concord 'UPDATE concordance_source SET is_complete = 0'", in: folder)
    try #require(cut.status == 0)
    try folder.remove("d/r.jsonl")
    _ = try folder.concord("index", "d")
    #expect(try folder.search("pear") == [])
  }

  @Test func concurrentRunsBothWrite() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      for number in 0..<200 { try folder.write("\(name)/\(number).txt", "\(name) word\(number)") }
    }
    let result = try ConcordProcess.shell(
      "concord index one & first=$!; concord index two; echo $?; wait $first; echo $?", in: folder)
    #expect(result.lines == ["0", "0"], "\(result.messages)")
    #expect(try folder.concord("verify").status == 0)
    #expect(try folder.concord("search", "--count", "one").output == "200\n")
    #expect(try folder.concord("search", "--count", "two").output == "200\n")
  }
}
