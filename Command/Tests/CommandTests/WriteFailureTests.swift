import Foundation
import Testing

/// Output and databases that cannot be written: an error is reported, and existing content is kept.
struct WriteFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writeRecords(_ count: Int, to name: String) throws {
    let text = String(repeating: "words and more words ", count: 40)
    try folder.write(name, (0..<count).map { "{\"_id\":\"\($0)\",\"text\":\"\(text)\"}\n" }.joined())
  }

  @Test(arguments: ["import", "index"]) func fileSizeLimitIsAnError(command: String) throws {
    try writeRecords(600, to: "records.jsonl")
    let result = try ConcordProcess.shell("ulimit -f 200; concord \(command) -q records.jsonl", in: folder)
    #expect(result.status == 2)
    #expect(!result.wasKilled)
    #expect(result.messages.contains("the file size limit (`ulimit -f`) was reached"), "\(result.messages)")
    #expect(try folder.concord("verify", "-q").status == 0)
  }

  @Test(arguments: ["-o out.jsonl", "> out.jsonl"])
  func fileSizeLimitEndsAnExport(target: String) throws {
    try writeRecords(600, to: "records.jsonl")
    let result = try ConcordProcess.shell(
      "concord import -q records.jsonl && ulimit -f 200 && concord export \(target)", in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("File too large"), "\(result.messages)")
    if target.hasPrefix("-o") { #expect(!FileManager.default.fileExists(atPath: folder.file("out.jsonl"))) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".part") })
  }

  private static let canTrace =
    (try? ConcordProcess.shell("strace true", in: TemporaryFolder()))?.status == 0

  @Test(.enabled(if: canTrace, "system calls cannot be traced here"))
  func exportOpensItsTemporaryFileExclusively() throws {
    _ = try folder.concord("put", "-q", "a", "{}")
    let result = try ConcordProcess.shell("strace -f -e trace=openat concord export -q -o out.jsonl", in: folder)
    try #require(result.status == 0, "\(result.messages)")
    let opened = result.messages.split(separator: "\n").filter { $0.contains(".part\"") }
    #expect(opened.count == 1)
    #expect(opened.first?.contains("O_EXCL") == true && opened.first?.contains("O_NOFOLLOW") == true)
    #expect(try folder.read("out.jsonl").count > 0)
  }

  @Test func anExportThatASignalEndsLeavesNoTemporaryFile() throws {
    try writeRecords(20_000, to: "records.jsonl")
    let result = try ConcordProcess.shell(
      """
      concord import -q records.jsonl
      concord export -q -o out.jsonl &
      until compgen -G '.concord-*.part' > /dev/null || ! kill -0 $!; do :; done
      kill -TERM $!; wait $!; echo $?
      """, in: folder)
    // The export may end before the signal.
    #expect(["143", "0"].contains(result.lines.last), "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test func anExportKeepsThePermissionsOfTheFile() throws {
    _ = try folder.concord("put", "-q", "a", "{}")
    let longName = String(repeating: "a", count: 255)
    let result = try ConcordProcess.shell(
      """
      umask 022; touch private; chmod 600 private
      for name in private new \(longName); do concord export -q -o $name || exit; stat -c %a $name; done
      """, in: folder)
    #expect(result.lines == ["600", "644", "644"], "\(result)")
  }

  @Test func databaseDeletedDuringAnImportIsAnError() throws {
    // The lines do not fit in the buffer of the pipe: when all of them are written, the import is reading them and has
    // therefore opened the database. The pipe is closed after the database is deleted, so the import cannot finish
    // earlier.
    try writeRecords(20_000, to: "records.jsonl")
    let result = try ConcordProcess.shell(
      """
      mkfifo pipe
      concord import -d x.concord pipe & 
      exec 3> pipe
      cat records.jsonl >&3
      until [ -s x.concord ]; do :; done
      rm -f x.concord x.concord-wal x.concord-shm
      exec 3>&-
      wait $!
      """, in: folder)
    #expect(result.status == 2)
    // A connection that is opened after the deletion reports that there is no file.
    #expect(
      result.messages.contains("concord: x.concord: the file was deleted or replaced while it was open")
        || result.messages.contains("concord: x.concord: cannot be opened"), "\(result.messages)")
    #expect(!result.messages.contains("documents in all"))
  }

  private static let canMount =
    (try? ConcordProcess.shell("unshare -m mount -t tmpfs none /mnt", in: TemporaryFolder()))?.status == 0

  /// The first run is saved, the second one does not fit, and after the disk has grown it is complete.
  @Test(
    .enabled(if: canMount, "file systems cannot be mounted here"),
    arguments: [("index", 3000, 2), ("import --memory 16M", 25_000, 14)])
  func fullDiskKeepsWhatWasSaved(command: String, count: Int, mebibytes: Int) throws {
    try folder.write("first.jsonl", "{\"_id\":\"first\",\"text\":\"harbour\"}\n")
    try writeRecords(count, to: "records.jsonl")
    try folder.write(
      "script",
      """
      mount -t tmpfs -o size=\(mebibytes)m none small
      export CONCORD_DATABASE=small/x.concord
      concord \(command) -q first.jsonl; echo "status $?"
      concord \(command) -q records.jsonl; echo "status $?"
      concord verify -q; echo "status $?"
      concord get first
      mount -o remount,size=128m small
      concord \(command) -q records.jsonl; echo "status $?"
      concord query --format csv 'SELECT COUNT(*) AS n FROM _' | tail -1 | tr -d '\\r'
      concord verify -q; echo "status $?"
      """)
    let result = try ConcordProcess.shell("mkdir small; unshare -m bash script", in: folder)
    #expect(result.lines.prefix(3) == ["status 0", "status 2", "status 0"], "\(result.output)\(result.messages)")
    #expect(result.lines.suffix(3) == ["status 0", "\(count + 1)", "status 0"], "\(result.output)\(result.messages)")
    #expect(result.output.contains("harbour"))
    let message =
      "concord: small/x.concord: the disk is full; nothing in this batch was written; free space and try again"
    // An import also says how much it has saved.
    let saved = #/; [0-9,]+ documents had been saved before(?=\n)/#
    #expect((result.messages.firstMatch(of: saved) != nil) == command.hasPrefix("import"), "\(result.messages)")
    #expect(result.messages.replacing(saved, with: "").split(separator: "\n").map(String.init) == [message])
  }

  /// With less space than SQLite needs for its shared memory, too.
  @Test(.enabled(if: canMount, "file systems cannot be mounted here"), arguments: [0, 8, 16, 32, 64, 200])
  func fullDiskIsReportedForANewDatabase(kilobytes: Int) throws {
    try folder.write("a.txt", "harbour")
    try folder.write(
      "script",
      """
      mount -t tmpfs -o size=2m none small
      head -c $(( (2048 - \(kilobytes)) * 1024 )) /dev/zero > small/filler
      concord -d small/x.concord index -q a.txt; echo "status $?"
      rm small/filler
      concord -d small/x.concord index -q a.txt; echo "status $?"
      concord -d small/x.concord search --count harbour
      """)
    let result = try ConcordProcess.shell("mkdir small; unshare -m bash script", in: folder)
    #expect(result.lines == ["status 2", "status 0", "1"], "\(result.output)\(result.messages)")
    #expect(result.messages.contains("the disk is full"), "\(result.messages)")
  }

  @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
  func serverReportsAFullDisk() throws {
    try folder.write("large.json", "{\"text\":\"\(String(repeating: "x", count: 1_000_000))\"}")
    try folder.write(
      "script",
      """
      mount -t tmpfs -o size=2m none small
      concord -d small/notes.concord put -q a '{"n":1}' > /dev/null
      concord serve small/notes.concord --port 0 > url 2> messages & server=$!
      until [ -s url ]; do kill -0 $server || exit 1; sleep 0.05; done
      documents="$(cat url)databases/notes/collections/_default/documents"
      put() { curl -s -o answer -w '%{http_code}\n' -X PUT $documents/b --data-binary @large.json; }
      head -c 3000000 /dev/zero > small/filler
      put; cat answer; echo
      curl -s $documents/a; echo
      rm small/filler
      put
      kill -TERM $server; wait $server; echo "status $?"
      """)
    let result = try ConcordProcess.shell("mkdir small; unshare -m bash script", in: folder)
    let lines = result.lines
    try #require(lines.count == 5, "\(result.output)\(result.messages)")
    #expect(lines[0] == "507" && lines[1].contains("\"code\":\"disk_full\"") && !lines[1].contains("small/"))
    #expect(lines[2...] == ["{\"n\":1}", "201", "status 0"])
  }

  @Test(
    .enabled(if: canMount, "file systems cannot be mounted here"),
    arguments: ["put b '{}'", "index records.jsonl", "verify"])
  func readOnlyFileSystemIsReported(command: String) throws {
    try writeRecords(1, to: "records.jsonl")
    let result = try ConcordProcess.shell(
      """
      mkdir locked && concord -d locked/x.concord put -q a '{}' &&
      unshare -m bash -c 'mount --bind locked locked && mount -o remount,ro,bind locked locked &&
        concord -d locked/x.concord get a && concord -d locked/x.concord \(command.replacingOccurrences(of: "'", with: "\""))'
      """, in: folder)
    #expect(result.output.contains("{}"))
    #expect(result.status == 2)
    let message =
      "concord: locked/x.concord: cannot be written: it is on a file system that is mounted read-only; use a copy"
    #expect(result.messages.hasPrefix(message), "\(result.messages)")
  }

  @Test(arguments: ["put a '{}'", "index records.jsonl", "import records.jsonl"])
  func missingFolderIsReported(command: String) throws {
    try writeRecords(1, to: "records.jsonl")
    let result = try ConcordProcess.shell("concord -d no/such/x.concord \(command)", in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("concord: no/such/x.concord: the folder no/such does not exist; create it first"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("no")))
  }
}
