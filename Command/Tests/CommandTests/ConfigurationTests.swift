import Foundation
import Testing

/// `concord index` with a configuration file.
@Suite struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ yaml: String) throws -> String {
    try folder.write("concord.yaml", yaml)
    let result = try folder.concord("index")
    #expect(result.status == 2, "\(yaml)")
    return result.messages
  }

  @Test func foldersRulesAndIndexesAreApplied() throws {
    try folder.write("notes/a.txt", "running water")
    try folder.write("notes/b.log", "ignored")
    try folder.write("notes/data.dat", "sku,name\n1,Desk\n2,Chair\n")
    try folder.write("notes/de/c.txt", "Häuser")
    try folder.write("other/d.txt", "not listed")
    try folder.write(
      "concord.yaml",
      """
      database: my.concord
      folders: [notes]
      rules:
        - glob: "*.{log,bak}"
          ignore: true
        - glob: "*.dat"
          format: csv
        - glob: "de/**"
          language: german
      options:
        id-field: sku
      search:
        language: en
      indexes:
        by_name: {values: [name]}
      """)
    let result = try folder.concord("index", "--json")
    #expect(result.status == 0, "\(result.messages)")
    #expect(try JSONText(result.output).int("documents") == 4)
    func lines(_ arguments: String...) throws -> [String] {
      try ConcordProcess.run(arguments + ["-d", "my.concord"], in: folder).lines
    }
    #expect(
      try lines("query", "--json", "SELECT META().id AS id FROM _ ORDER BY META().id")
        == ["1", "2", "notes/a.txt", "notes/de/c.txt"].map { #"{"id":"\#($0)"}"# })
    #expect(try lines("get", "notes/de/c.txt")[0].contains(#""language":"de""#))
    #expect(try lines("search", "--json", "run").count == 1)
    #expect(try lines("indexes").contains { $0.contains("by_name") })
    // The second run finds nothing to do; options of the command line take precedence.
    #expect(try JSONText(try folder.concord("index", "--json").output).int("files") == 0)
    try folder.write("concord.yaml", "folders: [notes]\nrules:\n- {glob: '*.dat', ignore: true}\n")
    #expect(try folder.concord("index", "-d", "other.concord").messages.contains("3 documents in all"))
  }

  @Test func excludesOfTheCommandLineTakePrecedence() throws {
    try folder.write("notes/a.txt", "a")
    try folder.write("notes/b.txt", "b")
    try folder.write("notes/c.txt", "c")
    try folder.write(
      "concord.yaml",
      "folders: [notes]\nrules:\n- {glob: 'b.txt', ignore: true}\noptions: {exclude: ['!a.txt', 'c.txt']}\n")
    func count(_ arguments: String...) throws -> Int? {
      let result = try ConcordProcess.run(["index", "--json"] + arguments, in: folder)
      #expect(result.status == 0, "\(result.messages)")
      return try JSONText(result.output).int("documents")
    }
    #expect(try count("-d", "1.concord") == 1)
    #expect(try count("-d", "2.concord", "--exclude", "!b.txt") == 2)
    #expect(
      try count("-d", "3.concord", "--exclude", "!b.txt", "--exclude", "!c.txt", "--exclude", "a.txt") == 2)
  }

  @Test func errorsNameFileLineAndKey() throws {
    try folder.write("notes/a.txt", "a")
    let start = "concord: concord.yaml:2: "
    #expect(
      try error("folders: [notes]\nfolder: [x]\n").hasPrefix(start + "folder: unknown key; the keys are database, "))
    #expect(
      try error("folders:\n- {a: 1}\n").hasPrefix(start + "folders[0]: expected a string"))
    #expect(
      try error("rules:\n- {glob: '*.x', format: pdx}\n").hasPrefix(
        start + "rules[0].format: there is no format \"pdx\""))
    #expect(
      try error("rules:\n- {glob: '*.x', language: xx}\n").hasPrefix(start + "rules[0].language: "))
    #expect(try error("rules:\n- {glob: '*.{x', ignore: true}\n").hasPrefix(start + "rules[0].glob: "))
    #expect(try error("rules:\n- {format: csv}\n").hasPrefix(start + "rules[0]: the rule has no glob"))
    #expect(try error("options:\n  hidden: maybe\n").hasPrefix(start + "options.hidden: expected true or false"))
    #expect(try error("options:\n  pre: '*.x=cat'\n").hasPrefix(start + "options.pre: commands are only allowed in"))
    #expect(try error("search:\n  accents: strip\n").hasPrefix(start + "search.accents: expected fold or keep"))
    #expect(try error("indexes:\n  search: {values: [a]}\n").hasPrefix(start + "indexes.search: the name is reserved"))
    #expect(try error("indexes:\n  a: {language: en}\n").hasPrefix(start + "indexes.a: expected one of values"))
    #expect(try error("folders: [notes]\nfolders: [a]\n").contains("concord.yaml:"))
    #expect(try error("folders: [notes\n").hasPrefix("concord: concord.yaml:2: "))
    #expect(!FileManager.default.fileExists(atPath: folder.file("corpus.concord")))
  }

  @Test func theUsersConfigurationAppliesOutsideOfItsFolder() throws {
    try folder.write("home/notes/a.txt", "tea")
    try folder.write(
      "home/.config/concord/concord.yaml",
      "database: ~/x.concord\nfolders: notes\noptions: {pre: '*.up=tr a-z A-Z <'}\n")
    try folder.write("home/notes/b.up", "upper")
    let result = try ConcordProcess.run(["index"], in: folder, environment: ["HOME": folder.file("home")])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try folder.concord("grep", "-d", "home/x.concord", "UPPER").lines.count == 1)
  }

  @Test func pathsAndTheConfigurationAreNotCombined() throws {
    try folder.write("a.yaml", "folders: [x]")
    #expect(try folder.concord("index", "--config", "a.yaml", "x").status == 2)
    #expect(try folder.concord("index", "--config", "missing.yaml").messages.contains("missing.yaml: No such file"))
  }
}
