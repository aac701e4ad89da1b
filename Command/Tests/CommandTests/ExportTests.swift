import Foundation
import Testing

/// Round trips through `export` and `import`.
struct ExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Documents whose text or id a naive export format would change.
  private static let oddTexts: [(id: String, text: String)] = [
    ("plain", #"{"name":"Ghia","n":1.50,"m":1.0e2,"big":123456789012345678901234567890,"neg":-0.0}"#),
    ("empty", "{}"), ("space", "{ }"), ("around", " \n{\"a\":1}\t\r\n"), ("inside", "{ \"a\" : 1 , \"b\":2 }"),
    ("pretty", "{\n  \"a\": [\n    1,\r\n    2\n  ]\n}"), ("break in empty", "{\n}"),
    ("twice", #"{"a":1,"a":2,"b":{"_id":"inner"}}"#), ("escapes", #"{"a\u0062":"\u0000\n\"\\\/","é":"日本"}"#),
    ("reserved id", #"{"_id":"other","a":1}"#), ("reserved place", #"{"a":1,"_collection":"x.y"}"#),
    ("reserved body", #"{"_body":{"a":1}}"#), ("reserved breaks", "{\"_breaks\":[1],\n\"_expiration\":null}"),
    ("escaped reserved", #"{"\u005fid":"x","a":1}"#), ("other keys", #"{"_blob":"x","_data":1,"_rev":"2"}"#),
    ("like a piece", #"{"_blob":"sha1-x","_length":0,"_offset":0,"_data":""}"#),
    ("like a header", #"{"_concordance":7}"#),
    ("line\nbreak", #"{"a":1}"#), ("quote\"back\\slash", #"{"a":1}"#), ("日本 🗾 é", #"{"a":1}"#),
    ("nul\u{0}id", #"{"a":1}"#),
    ("reserved pretty", "{\n\"_id\" : 5,\r\n\"a\":1 }"),
  ]

  /// Every row that an export must preserve byte for byte.
  private static let contentQuery = #"""
    for t in $(sqlite3 $1 "SELECT quote(table_name) FROM (SELECT scope || '.' || name AS table_name FROM concordance_collection) ORDER BY 1"); do
      echo $t; sqlite3 $1 "SELECT hex(id), expiration, hex(CAST(body AS BLOB)) FROM \"$(echo $t | tr -d "'")\" WHERE deleted = 0 ORDER BY id"
    done
    sqlite3 $1 "SELECT digest, length, hex(content) FROM concordance_blob LEFT JOIN concordance_blob_chunk ON blob = id ORDER BY digest, number" | sha1sum
    sqlite3 $1 "SELECT scope, c.name, i.name, kind, definition FROM concordance_index i JOIN concordance_collection c ON c.id = i.collection ORDER BY 1, 2, 3"
    """#

  private func content(_ database: String) throws -> String {
    try folder.write("content.sh", ExportTests.contentQuery)
    let result = try ConcordProcess.shell("bash content.sh \(database)", in: folder)
    try #require(result.status == 0 && result.messages.isEmpty, "\(result.messages)")
    return result.output
  }

  /// Inserts documents by SQL, bypassing the code under test.
  private func insert(_ documents: [(id: String, text: String)], _ table: String = "_default._default") throws {
    func quoted(_ text: String) -> String {
      "CAST(x'\(text.utf8.map { String(format: "%02x", $0) }.joined())' AS TEXT)"
    }
    let rows = documents.enumerated().map { number, document in
      "INSERT INTO \"\(table)\" (id, sequence, revision, body) VALUES "
        + "(\(quoted(document.id)), \(number + 1000), \(number + 1), \(quoted(document.text)));\n"
    }
    try folder.write("rows.sql", rows.joined())
    let result = try ConcordProcess.shell("sqlite3 corpus.concord < rows.sql", in: folder)
    try #require(result.status == 0, "\(result.messages)")
  }

  private func roundTrip() throws -> String {
    let result = try ConcordProcess.shell(
      "set -o pipefail; concord export | concord import -q -d other.concord - && concord verify -q -d other.concord",
      in: folder)
    #expect(result.status == 0, "\(result.messages)")
    return try content("other.concord")
  }

  @Test func unusualDocumentsRoundTripByteForByte() throws {
    _ = try folder.concord("put", "-c", "shop.items", "first", "{}")
    _ = try folder.concord("put", "first", "{}")
    try insert(ExportTests.oddTexts)
    try insert(ExportTests.oddTexts, "shop.items")
    #expect(try roundTrip() == content("corpus.concord"))
    // Every line is a JSON object.
    let lines = try folder.concord("export").output.split(separator: "\n").map { try JSONText(String($0)) }
    #expect(lines.count == 1 + 2 + 2 * (ExportTests.oddTexts.count + 1))
    #expect(lines.first?.int("_concordance") == 1)
    let plain = try #require(lines.first { $0.string("_id") == "plain" })
    #expect(plain.string("name") == "Ghia")
    #expect(plain.keys == ["_id", "name", "n", "m", "big", "neg"])
    #expect(lines.last { $0.string("_id") == "plain" }?.string("_collection") == "shop.items")
    let reserved = try #require(lines.first { $0.string("_id") == "reserved id" })
    #expect(reserved.object("_body")?["_id"] as? String == "other")
  }

  @Test func randomLayoutsRoundTripByteForByte() throws {
    var generator = SeededGenerator(seed: 11)
    let spaces = ["", " ", "\n", "\r\n", "\t", "\n\n  "]
    func space() -> String { spaces.randomElement(using: &generator) ?? "" }
    let keys = ["a", "_id", "_body", "_breaks", "b\\n", "_collection", "é", "_"]
    let values = ["1.50", "\"x\"", "{}", "[ ]", "null", "\"\\u0000\"", "{\"_id\":1}", "-0"]
    let documents = (0..<300).map { number in
      let members = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        space() + "\"\(keys.randomElement(using: &generator) ?? "")\"" + space() + ":" + space()
          + (values.randomElement(using: &generator) ?? "") + space()
      }
      return (id: "d\(number)", text: space() + "{" + space() + members.joined(separator: ",") + "}" + space())
    }
    _ = try folder.concord("put", "first", "{}")
    try insert(documents)
    #expect(try roundTrip() == content("corpus.concord"))
  }

  @Test func blobsAndCollectionsRoundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    try folder.write("big", Data((0..<1_000_003).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    try folder.write("exact", Data(repeating: 7, count: 384 << 10))
    try folder.write("empty", Data())
    _ = try folder.concord("put", "a", "{}", "--blob", "big=big", "--blob", "empty=empty")
    _ = try folder.concord("put", "-c", "shop.items", "b", "{}", "--blob", "exact=exact", "--blob", "same=big")
    _ = try folder.concord("put", "-c", "shop.none", "gone", "{}")
    _ = try folder.concord("delete", "--purge", "-c", "shop.none", "gone")
    #expect(try roundTrip() == content("corpus.concord"))
    #expect(try folder.concord("get", "-d", "other.concord", "a", "--blob", "big", "-o", "out").status == 0)
    #expect(try folder.read("out") == folder.read("big"))
    // Other tools can join the chunks.
    let joined = try ConcordProcess.shell(
      """
      concord export -c _default | grep '^{"_blob"' | sed 's/.*"_data":"\\([^"]*\\)".*/\\1/' | tr -d '\\n' | base64 -d | cmp - big
      """, in: folder)
    #expect(joined.status == 0, "\(joined.messages)")
    let ofOne = try folder.concord("export", "-c", "shop.items").output
    #expect(ofOne.split(separator: "\n").filter { $0.contains("\"_offset\":0,") }.count == 2)
    #expect(!ofOne.contains("_default._default"))
  }

  @Test func damagedDocumentsAreOmittedOnRequest() throws {
    _ = try folder.concord("put", "a", #"{"n":1}"#)
    _ = try folder.concord("put", "b", #"{"n":2}"#)
    _ = try ConcordProcess.shell(
      #"sqlite3 corpus.concord "UPDATE \"_default._default\" SET body = '{' WHERE id = 'a'""#, in: folder)
    let result = try folder.concord("export")
    #expect(result.status == 2)
    #expect(result.messages.contains("\"a\"") && result.messages.contains("--skip-damaged"))
    #expect(!result.output.contains("\"_id\""))
    let rest = try folder.concord("export", "--skip-damaged", "-o", "rest.jsonl")
    #expect(rest.status == 2)
    #expect(rest.messages.contains("\"a\"") && rest.messages.contains("1 damaged document omitted"))
    #expect(try String(decoding: folder.read("rest.jsonl"), as: UTF8.self).contains(#"{"_id":"b","n":2}"#))
  }

  @Test func importedIndexesFindTheSameDocuments() throws {
    try folder.write(
      "r.jsonl", (0..<2000).map { "{\"id\":\"r\($0)\",\"t\":\"running television \($0 % 7)\"}\n" }.joined())
    try folder.write("synonyms", "tv, television\n")
    _ = try folder.concord(
      "index", "--language", "en", "--synonyms", "synonyms", "--stop-words", "language", "--fields", "t", "r.jsonl")
    _ = try folder.concord("index", "-c", "shop.files", "synonyms")
    #expect(try roundTrip() == content("corpus.concord"))
    for query in ["run tv 3", "the runs", "4 -television"] {
      let hits = try ["corpus", "other"].map {
        try folder.concord("search", "--json", "-n", "50", "-d", "\($0).concord", "--", query).output
      }
      #expect(hits[0] == hits[1])
    }
    #expect(try folder.concord("search", "-q", "--count", "-d", "other.concord", "runs tv").output == "2000\n")
    // The import has no sources, so files are read again.
    #expect(try folder.concord("index", "-d", "other.concord", "r.jsonl").messages.contains("1 file read"))
  }

  @Test func expirationsRoundTrip() throws {
    for millisecond in 120..<130 {
      _ = try folder.concord("put", "d\(millisecond)", "{}", "--expires", "2999-01-01T00:00:00.\(millisecond)Z")
    }
    _ = try folder.concord("put", "never", #"{"n":1}"#)
    #expect(try roundTrip() == content("corpus.concord"))
    #expect(try folder.concord("export").output.contains(#"{"_id":"d123","_expiration":"2999-01-01T00:00:00.123Z"}"#))
    let bad = try folder.concord("import", "-", input: #"{"_id":"x","_expiration":"soon"}"#)
    #expect(bad.status == 2)
    #expect(bad.messages.contains("stdin:1: _expiration is not a date"))
  }

  @Test func summaryAndAdviceOfAFailedImport() throws {
    let missing = try folder.concord("import", "-d", "none", "--json", "nowhere.jsonl")
    #expect(missing.status == 2)
    #expect(try JSONText(missing.lines.first ?? "").int("errors") == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
    try folder.write("text.txt", "not JSON\n")
    #expect(try folder.concord("import", "-d", "new", "text.txt").messages.contains("import reads JSON Lines"))
    try folder.write("id.jsonl", "{\"_id\":\"_reserved\"}\n")
    #expect(!(try folder.concord("import", "-d", "new", "id.jsonl").messages.contains("import reads JSON Lines")))
  }

  /// A mark is ignored at the start of each file only.
  @Test func byteOrderMarksAtTheStartOfFiles() throws {
    for name in ["1", "2"] { try folder.write("\(name).jsonl", "\u{FEFF}{\"_id\":\"\(name)\"}\n") }
    #expect(try folder.concord("import", "-d", "marks", "1.jsonl", "2.jsonl").status == 0)
    #expect(try folder.concord("get", "-d", "marks", "1", "2").status == 0)
    #expect(try folder.concord("import", "-d", "marks", "-", input: "{}\n\u{FEFF}{}\n").status == 2)
  }

  @Test func plainLinesAreImported() throws {
    try folder.write(
      "p.jsonl",
      """
      {"name":"a","_id":"x","n":1.50}

      {"_id":7,"_rev":"1"}\r
      {"name":"no id","_body":{"z":1}}
      {"_collection":"shop.items","_id":"s"}
      """)
    let result = try folder.concord("import", "--json", "p.jsonl")
    #expect(result.status == 0)
    let report = try JSONText(result.output)
    #expect(report.keys == ["documents", "unchanged", "skipped", "blobs", "indexes", "errors", "bytes", "seconds"])
    #expect(report.int("documents") == 4)
    #expect(result.messages.hasPrefix("4 documents saved; "))
    #expect(try folder.concord("get", "x", "7").output == "{\"name\":\"a\",\"n\":1.50}\n{\"_rev\":\"1\"}\n")
    #expect(try folder.concord("get", "-c", "shop.items", "s").status == 0)
    #expect(try folder.concord("indexes", "-q").status == 1)
    #expect(try folder.concord("import", "-c", "one", "-", "-q", input: folder.concord("export").output).status == 0)
    #expect(
      try JSONText(try folder.concord("stats", "--json").output).objects("collections")?.map { $0["documents"] as? Int }
        == [3, 4, 1])
  }

  @Test func existingDocumentsAreReplacedSkippedOrErrors() throws {
    _ = try folder.concord("put", "a", #"{"n":0}"#)
    try folder.write("r.jsonl", "{\"_id\":\"b\"}\n{\"_id\":\"a\",\"n\":1}\n{\"_id\":\"c\"}\n{\"_id\":\"c\"}\n")
    let failed = try folder.concord("import", "--fail", "r.jsonl")
    #expect(failed.status == 2)
    #expect(
      failed.messages.hasPrefix(
        """
        concord: r.jsonl:2: the document "a" already exists in _default._default
        concord: r.jsonl:4: the document "c" already exists in _default._default
        2 documents saved, 2 errors; 
        """.trimmingCharacters(in: .newlines)))
    let skipped = try folder.concord("import", "--skip", "--json", "r.jsonl")
    #expect(skipped.status == 0)
    #expect(try JSONText(skipped.output).int("skipped") == 4)
    #expect(try folder.concord("get", "a").output == "{\"n\":0}\n")
    #expect(try folder.concord("import", "r.jsonl").status == 0)
    #expect(try folder.concord("get", "a").output == "{\"n\":1}\n")
  }

  @Test func malformedLinesDoNotAffectOtherLines() throws {
    let bad = [
      "{", "[1]", "{\"_id\":\"\"}", "{\"_id\":\"_x\"}", "{\"_id\":true}", "{\"_id\":\"x\",\"_collection\":\"no name\"}",
      "{\"_id\":\"x\",\"_collection\":1}", "{\"_id\":\"x\",\"_breaks\":[5],\"a\":1}",
      "{\"_id\":\"x\",\"_breaks\":[9223372036854775807,1]}",
      "{\"a\":1,\"\\u005fid\":\"x\"}", "{\"_index\":\"i\",\"_definition\":{}}",
      "{\"_index\":\"i\",\"_definition\":{\"fields\":[\"a\"],\"analyzer\":{\"language\":\"xx\"}}}",
      "{\"_blob\":\"sha1-x\",\"_length\":1,\"_offset\":0,\"_data\":\"AA==\"}",
      "{\"_blob\":\"sha1-x\",\"_length\":9,\"_offset\":3,\"_data\":\"AA==\"}", "{\"a\":1e400}", "{\"a\":\"\u{1}\"}",
      "\u{1}\u{2}",
    ]
    try folder.write("r.jsonl", bad.map { $0 + "\n{\"_id\":\"good\"}\n" }.joined())
    try folder.write("cut.jsonl", "{\"_blob\":\"sha1-x\",\"_length\":9,\"_offset\":0,\"_data\":\"AA==\"}")
    let result = try folder.concord("import", "r.jsonl", "none.jsonl")
    #expect(result.status == 2)
    let lines = result.messages.split(separator: "\n")
    #expect(lines.count == bad.count + 2)
    for (number, line) in lines.prefix(bad.count).enumerated() {
      #expect(line.hasPrefix("concord: r.jsonl:\(2 * number + 1): "), "\(line)")
    }
    #expect(lines[bad.count].contains("none.jsonl: No such file"))
    #expect(try folder.concord("get", "good").output == "{}\n")
    let cut = try folder.concord("import", "cut.jsonl")
    #expect(cut.status == 2)
    #expect(cut.messages.contains("cut.jsonl:1: the rest of the blob sha1-x is missing"))
    #expect(try folder.concord("verify").status == 0)
  }

  @Test func newerFormatsEndTheImport() throws {
    try folder.write("r.jsonl", "{\"_id\":\"a\"}\n{\n{\"_concordance\":99}\n{\"_id\":\"b\"}\n")
    try folder.write("next.jsonl", "{\"_id\":\"b\"}\n")
    let result = try folder.concord("import", "--json", "r.jsonl", "next.jsonl")
    #expect(result.status == 2)
    let lines = result.messages.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("concord: r.jsonl:3: the export was written by a newer version"))
    #expect(lines[1].hasSuffix("; 1 document had been saved before; 1 more file was not read"))
    let report = try JSONText(result.output)
    #expect(report.int("documents") == 1)
    #expect(report.int("errors") == 2)
    #expect(try folder.concord("get", "a").status == 0)
    #expect(try folder.concord("get", "b").status == 1)
  }

  @Test func compressedFilesAreImported() throws {
    try folder.write("r.jsonl", (0..<3000).map { "{\"_id\":\"r\($0)\"}\n" }.joined())
    #expect(try ConcordProcess.shell("gzip -k r.jsonl; bzip2 -k r.jsonl", in: folder).status == 0)
    for name in ["r.jsonl.gz", "r.jsonl.bz2"] {
      let result = try folder.concord("import", "-d", "\(name).concord", name)
      #expect(result.messages.hasPrefix("3,000 documents saved; "), "\(result.messages)")
    }
  }

  @Test func compressedStandardInputIsAnErrorWithAdvice() throws {
    try folder.write("r.jsonl", "{\"_id\":\"r\"}\n")
    let result = try ConcordProcess.shell("gzip -c r.jsonl | concord import -", in: folder)
    #expect(result.status == 2)
    #expect(result.messages.contains("stdin: binary file (gzip)"), "\(result.messages)")
    #expect(result.messages.contains("use `zcat FILE | concord import -`"), "\(result.messages)")
  }

  @Test func damagedCompressedFileIsAnError() throws {
    try folder.write("r.jsonl", (0..<3000).map { "{\"_id\":\"r\($0)\"}\n" }.joined())
    #expect(try ConcordProcess.shell("gzip r.jsonl; truncate -s -9 r.jsonl.gz", in: folder).status == 0)
    let result = try folder.concord("import", "r.jsonl.gz")
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: r.jsonl.gz: the compressed data is damaged"), "\(result.messages)")
  }

  /// The last line of such an array is a valid document.
  @Test func arraysAreNotImported() throws {
    try folder.write("a.json", "\n[\n{\"_id\":\"a\"},\n{\"_id\":\"b\"}\n]\n")
    try folder.write("b.jsonl", "{\"_id\":\"c\"}\n")
    let result = try folder.concord("import", "a.json", "b.jsonl")
    #expect(result.status == 2)
    #expect(result.messages.hasPrefix("concord: a.json: the file is a JSON array"), "\(result.messages)")
    #expect(try folder.concord("query", "--json", "SELECT META().id FROM _").output == "{\"id\":\"c\"}\n")
  }

  @Test(arguments: [false, true]) func manyErrorsAreCounted(isVerbose: Bool) throws {
    let broken = (0..<150).map { "{\"_id\":\($0)\n" }.joined()
    let arguments = ["import"] + (isVerbose ? ["-v"] : []) + ["-", "missing.jsonl"]
    let result = try ConcordProcess.run(arguments, in: folder, input: broken)
    #expect(result.messages.contains("concord: missing.jsonl: No such file"))
    #expect(result.messages.contains("stdin:100:"))
    #expect(result.messages.contains("stdin:101:") == isVerbose)
    #expect(result.messages.contains("concord: 50 more errors are not listed; -v lists all\n") != isVerbose)
    #expect(result.messages.contains("0 documents saved, 151 errors"))
  }

  @Test func pipesAreReadOnce() throws {
    let lines = (0..<3).map { "{\"_id\":\"\($0)\"}\n" }.joined()
    try folder.write("r.jsonl", lines)
    let result = try ConcordProcess.shell("concord import <(cat r.jsonl)", in: folder)
    #expect(result.messages.hasPrefix("3 documents saved; "), "\(result.messages)")
  }

  @Test func missingFileCreatesNoDatabase() throws {
    let result = try folder.concord("import", "nowhere")
    #expect(result.status == 2)
    #expect(result.messages == "concord: nowhere: No such file or directory\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
    #expect(try folder.concord("export").status == 2)
  }

  @Test func outputFileIsReplacedWhenTheExportIsComplete() throws {
    try folder.write("dump", "old")
    #expect(try folder.concord("export", "-o", "dump").status == 2)
    #expect(try folder.read("dump") == Data("old".utf8))
    _ = try folder.concord("put", "a", "{}")
    let result = try folder.concord("export", "-v", "-o", "dump")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.messages == "1 document, 1 collection, 0 blobs, 0 indexes\n")
    #expect(try folder.read("dump") == Data(try folder.concord("export").output.utf8))
    #expect(try folder.concord("export", "-o", "no/where").status == 2)
    #expect(try folder.concord("export", "-c", "nope").status == 2)
    #expect(try folder.concord("export", "-o", "/dev/full").messages.contains("cannot be written"))
  }

  @Test func closedPipeEndsTheCommandSilently() throws {
    try folder.write("r.jsonl", (0..<20000).map { "{\"_id\":\"r\($0)\",\"t\":\"plum \($0)\"}\n" }.joined())
    _ = try folder.concord("import", "r.jsonl")
    let result = try ConcordProcess.shell("concord export | head -1; echo ${PIPESTATUS[0]}", in: folder)
    #expect(result.output == "{\"_concordance\":1}\n0\n")
    #expect(result.messages.isEmpty)
  }

  @Test func importOfOtherFormatsPointsToTheIndexCommand() throws {
    try folder.write("table.csv", "a,b\n1,2\n")
    let result = try folder.concord("import", "table.csv")
    #expect(result.status == 2)
    #expect(result.messages.contains("`concord index` also reads JSON arrays, CSV"))
  }
}
