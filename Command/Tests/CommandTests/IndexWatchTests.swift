import Testing

/// `concord index --watch`.
@Suite(.timeLimit(.minutes(10))) struct IndexWatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("notes/a.txt", "one")
  }

  /// Starts the watch, runs a script that waits with `until_ids`, and ends the watch.
  ///
  /// - Returns: the output of the watch.
  private func watch(_ script: String, of options: String = "notes") throws -> CommandResult {
    try ConcordProcess.shell(
      """
      ids() { concord query --json 'SELECT META().id AS id FROM _ ORDER BY META().id' 2> /dev/null | cut -d '"' -f 4 | xargs; }
      until_ids() { until [ "$(ids)" = "$1" ]; do sleep 0.05; done; }
      concord index --watch \(options) > out 2>&1 & watch=$!
      until grep -q '^watching' out; do sleep 0.05; done
      \(script)
      kill -INT $watch; wait $watch; echo "status $?" >> out; cat out
      """, in: folder)
  }

  @Test func changesAppear() throws {
    let result = try watch(
      """
      until_ids 'notes/a.txt'
      echo two > notes/b.txt; until_ids 'notes/a.txt notes/b.txt'
      mkdir -p notes/x/y; echo three > notes/x/y/c.txt; until_ids 'notes/a.txt notes/b.txt notes/x/y/c.txt'
      mv notes/x notes/z; until_ids 'notes/a.txt notes/b.txt notes/z/y/c.txt'
      echo four > notes/z/y/d.txt; until_ids 'notes/a.txt notes/b.txt notes/z/y/c.txt notes/z/y/d.txt'
      mv notes/b.txt notes/z/e.txt; rm notes/a.txt
      until_ids 'notes/z/e.txt notes/z/y/c.txt notes/z/y/d.txt'
      echo y > notes/.ignore; until_ids 'notes/z/e.txt'
      rm -r notes/z; until_ids ''
      """)
    #expect(result.lines.last == "status 130", "\(result.output)")
    #expect(result.output.contains("1 document new or changed"))
  }

  @Test func aFolderThatMovesAwayAndBackIsWatched() throws {
    let result = try watch(
      """
      mv notes outside; until_ids ''
      mv outside notes; until_ids 'notes/a.txt'
      echo two > notes/b.txt; until_ids 'notes/a.txt notes/b.txt'
      """)
    #expect(result.lines.last == "status 130", "\(result.output)")
  }

  @Test func theDatabaseInTheFolderCausesNoRuns() throws {
    let result = try watch(
      """
      echo two > notes/b.txt; until_ids 'notes/a.txt notes/b.txt'
      echo three > notes/c.txt; until_ids 'notes/a.txt notes/b.txt notes/c.txt'
      """, of: ". --json --include '*.txt'")
    #expect(result.lines.last == "status 130", "\(result.output)")
    // One report for the first run, and at most one for each file: writes to the database are not changes.
    #expect((2...3).contains(result.lines.count { $0.hasPrefix("{") }), "\(result.output)")
  }

  /// The program is a copy that loses the permission to be executed while it runs.
  @Test func aFileKeepsItsDocumentsWhileTheExtractorCannotBeStarted() throws {
    try folder.write("notes/b.rtf", #"{\rtf1 old}"#)
    let result = try ConcordProcess.shell(
      """
      text() { concord cat notes/b.rtf 2> /dev/null; }
      cp "$(readlink -f "$(command -v concord)")" copy
      ./copy index --watch notes > out 2>&1 & watch=$!
      until grep -q '^watching' out; do sleep 0.05; done
      chmod 0 copy; echo '{\\rtf1 new}' > notes/b.rtf
      until grep -q 'the extractor cannot be started' out; do sleep 0.05; done
      text; chmod 700 copy; touch notes/b.rtf
      until [ "$(text)" = new ]; do sleep 0.05; done
      kill -INT $watch; wait $watch
      """, in: folder)
    #expect(result.lines == ["old"], "\(result.output)\(result.messages)")
  }

  @Test func aNamedFileIsWatched() throws {
    let result = try watch(
      """
      echo b > notes/b.txt; rm notes/a.txt; until_ids ''
      echo a > notes/new && mv notes/new notes/a.txt; until_ids 'notes/a.txt'
      """, of: "notes/a.txt")
    #expect(result.lines.last == "status 130", "\(result.output)")
  }

  /// The limit of watches is that of a user namespace, which the test creates.
  private static let canLimitWatches =
    (try? ConcordProcess.shell(
      "unshare -Ur sh -c 'echo 2 > /proc/sys/user/max_inotify_watches'", in: TemporaryFolder()))?.status == 0

  @Test(.enabled(if: canLimitWatches, "user namespaces are not allowed here"))
  func limitOfWatchesIsReported() throws {
    let result = try ConcordProcess.shell(
      """
      mkdir -p notes/x/y/z; echo two > notes/x/y/z/b.txt
      unshare -Ur sh -c 'echo 2 > /proc/sys/user/max_inotify_watches; exec concord index --watch notes' > out 2>&1 & watch=$!
      until grep -q '^watching' out; do sleep 0.05; done
      kill -INT $watch; wait $watch; cat out
      """, in: folder)
    #expect(result.output.contains("folders cannot be watched: the kernel's limit"), "\(result.output)")
    #expect(result.output.contains("all folders are read every 5 minutes instead"), "\(result.output)")
    #expect(result.output.contains("2 documents in all"), "\(result.output)")
  }

  /// While the process is stopped, the kernel's queue of events overflows.
  @Test func overflowOfTheQueueReadsAllFolders() throws {
    let result = try watch(
      """
      until_ids 'notes/a.txt'
      limit=$(cat /proc/sys/fs/inotify/max_queued_events)
      kill -STOP $watch
      # Different consecutive events are not merged.
      i=0; while [ $i -le $((limit / 2)) ]; do : > notes/a.txt; : > notes/b.txt; i=$((i + 1)); done
      mkdir notes/new; echo c > notes/new/c.txt
      kill -CONT $watch
      until_ids 'notes/a.txt notes/b.txt notes/new/c.txt'
      """)
    #expect(result.lines.last == "status 130", "\(result.output)")
    #expect(result.output.contains("too many changes at once; all folders are read again"), "\(result.output)")
  }

  private static let canMount =
    (try? ConcordProcess.shell("unshare -m mount -t tmpfs none /mnt", in: TemporaryFolder()))?.status == 0

  @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
  func changesAreIndexedWhenTheDiskIsNoLongerFull() throws {
    // More than the space in the write-ahead log of the first run, which is written again from its beginning.
    try folder.write("large.txt", (0..<60_000).map { "word\($0)" }.joined(separator: " "))
    try folder.write(
      "script",
      """
      mount -t tmpfs -o size=8m none small
      count() { concord -d small/x.concord query --format csv 'SELECT COUNT(*) AS n FROM _' | tail -1 | tr -d '\\r'; }
      concord -d small/x.concord index --watch notes > out 2>&1 & watch=$!
      until grep -qs '^watching' out; do sleep 0.05; done
      head -c 9000000 /dev/zero > small/filler
      cp large.txt notes/b.txt
      until grep -q 'disk is full' out; do kill -0 $watch || break; sleep 0.05; done
      count
      rm small/filler
      until [ "$(count)" = 2 ]; do kill -0 $watch || break; sleep 0.05; done
      echo three > notes/c.txt
      until [ "$(count)" = 3 ]; do kill -0 $watch || break; sleep 0.05; done
      kill -INT $watch; wait $watch; echo "status $?"
      cat out
      """)
    let result = try ConcordProcess.shell("mkdir small; unshare -m bash script", in: folder)
    #expect(result.lines.prefix(2) == ["1", "status 130"], "\(result.output)\(result.messages)")
    let message = "the disk is full; nothing in this batch was written; the changes are indexed when this is possible"
    #expect(result.lines.count { $0.hasSuffix(message) } == 1, "\(result.output)")
  }

  @Test func watchNeedsFolders() throws {
    #expect(try folder.concord("index", "--watch").status == 2)
    #expect(try folder.concord("index", "--watch", "-").status == 2)
  }
}
