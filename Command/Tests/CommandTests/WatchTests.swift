import Testing

/// `--watch` of `query` and `search`.
@Suite(.timeLimit(.minutes(10))) struct WatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try folder.concord("put", "-q", "a", #"{"n":1}"#).status == 0)
  }

  /// Starts a command, waits for its first output, changes documents, waits for more output, and interrupts it.
  private func watch(_ command: String, change: String, expecting text: String) throws -> CommandResult {
    try ConcordProcess.shell(
      """
      rm -f out
      \(command) > out & watch=$!
      until [ -s out ]; do sleep 0.05; done
      \(change) > /dev/null
      until grep -q '\(text)' out; do sleep 0.05; done
      kill -INT $watch; wait $watch; echo "status $?" >> out; cat out
      """, in: folder)
  }

  @Test func queryPrintsTheRowsAgain() throws {
    let result = try watch(
      "concord query --watch 'SELECT n FROM _ ORDER BY n'", change: #"concord put b '{"n":22}'"#, expecting: "22")
    #expect(result.output == "n\n1\n\n n\n 1\n22\nstatus 130\n")
  }

  @Test func queryPrintsDifferencesAsJSON() throws {
    let result = try watch(
      "concord query --watch --json 'SELECT n FROM _ ORDER BY n'", change: #"concord put a '{"n":0}'"#,
      expecting: "updates\":.{")
    #expect(
      result.lines == [
        #"{"deletions":[],"insertions":[{"index":0,"row":{"n":1}}],"moves":[],"updates":[],"count":1}"#,
        #"{"deletions":[],"insertions":[],"moves":[],"updates":[{"from":0,"index":0,"row":{"n":0}}],"count":1}"#,
        "status 130",
      ])
  }

  @Test func eachDifferenceIsOneLine() throws {
    let result = try watch(
      "concord query --watch --json 'SELECT n FROM _'", change: "concord put a '{\"n\":[\n2]}'",
      expecting: "updates\":.{")
    #expect(result.lines.count == 3, "\(result.output)")
    #expect(result.lines.dropFirst().first?.contains(#""row":{"n":[2]}"#) == true, "\(result.output)")
  }

  @Test func searchPrintsTheHitsAgain() throws {
    try folder.write("t.txt", "tea")
    #expect(try folder.concord("index", "-q", "t.txt").status == 0)
    try folder.write("u.txt", "green tea")
    let result = try watch("concord search --watch tea", change: "concord index u.txt", expecting: "u.txt")
    #expect(result.output.contains("1. t.txt") && result.output.contains("2. u.txt"), "\(result.output)")
    #expect(result.lines.last == "status 130")
  }

  @Test func emptyResultsArePrinted() throws {
    let rows = try watch(
      "concord query --watch 'SELECT n FROM _ WHERE n > 9'", change: #"concord put b '{"n":22}'"#, expecting: "22")
    #expect(rows.output == "0 rows\n\n n\n22\nstatus 130\n")
    try folder.write("t.txt", "tea")
    #expect(try folder.concord("index", "-q", "t.txt").status == 0)
    try folder.write("u.txt", "coffee")
    let hits = try watch("concord search --watch coffee", change: "concord index u.txt", expecting: "u.txt")
    #expect(hits.output.hasPrefix("0 hits\n\n1. u.txt"), "\(hits.output)")
  }

  @Test func searchReportsACorrection() throws {
    for name in ["a", "b", "c"] { try folder.write("\(name).txt", "apple") }
    #expect(try folder.concord("index", "-q", "a.txt", "b.txt", "c.txt").status == 0)
    try folder.write("u.txt", "apple pie")
    let result = try watch("concord search --watch appel", change: "concord index u.txt", expecting: "u.txt")
    #expect(result.messages.contains("showing results for apple"), "\(result.messages)")
  }

  @Test(arguments: [["-n", "0"], ["--json", "--facet", "n"]])
  func optionsThatWatchingDoesNotSupportAreRefused(options: [String]) throws {
    #expect(try ConcordProcess.run(["search", "--watch", "tea"] + options, in: folder).status == 2)
  }

  @Test func errorsInTheQueryEndTheCommand() throws {
    let result = try folder.concord("query", "--watch", "SELECT FROM")
    #expect(result.status == 2 && result.messages.contains("unexpected 'FROM'"))
    #expect(try folder.concord("query", "--watch", "--format", "csv", "SELECT 1 FROM _").status == 2)
  }
}
