import ArgumentParser

/// The shared options of `concord grep`, without the short options `-c` and `-v`, which have ripgrep's meaning.
struct GrepDatabaseOptions: ParsableArguments, DatabaseArguments {
  @Option(
    name: .shortAndLong, help: GlobalOptions.databaseHelp, completion: .file(extensions: ["concord"]))
  var database: String?

  @Option(help: GlobalOptions.collectionHelp)
  var collection: String?

  @Option(help: GlobalOptions.colorHelp)
  var color = ColorMode.auto

  @Flag(name: .shortAndLong, help: "Print nothing; the exit status shows whether a line matches.")
  var quiet = false

  @Flag(help: "Print more messages.")
  var verbose = false
}

/// The pattern options of `concord grep`.
struct GrepPatternOptions: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("regexp")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A pattern, which may begin with a dash; may be repeated to match any of several patterns.",
      valueName: "pattern"))
  var regexps: [String] = []

  @Option(
    name: [.customShort("f"), .customLong("file")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Read patterns from a file, one per line; - is the standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Flag(name: [.customShort("F"), .long], help: "Treat patterns as literal text, not regular expressions.")
  var fixedStrings = false

  @Flag(exclusivity: .chooseLast)
  var letterCase = LetterCaseFlag.caseSensitive

  @Flag(name: [.customShort("w"), .customLong("word-regexp")], help: "Match whole words only.")
  var wordRegexp = false

  @Flag(name: [.customShort("x"), .customLong("line-regexp")], help: "Match whole lines only.")
  var lineRegexp = false

  @Flag(name: [.customShort("v"), .customLong("invert-match")], help: "Print the lines that do not match.")
  var invertMatch = false

  @Flag(name: [.customShort("U"), .long], help: "Allow matches to span lines.")
  var multiline = false

  @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "With --multiline, let . match a line break.")
  var multilineDotall = false

  @Flag(help: "Treat a carriage return before a line feed as part of the line break.")
  var crlf = false

  @Flag(name: [.customShort("P"), .long], help: .hidden)
  var pcre2 = false
}

/// Whether patterns ignore case.
enum LetterCaseFlag: EnumerableFlag {
  case ignoreCase, caseSensitive, smartCase

  static func name(for value: LetterCaseFlag) -> NameSpecification {
    switch value {
    case .ignoreCase: [.customShort("i"), .long]
    case .caseSensitive: [.customShort("s"), .long]
    case .smartCase: [.customShort("S"), .long]
    }
  }

  static func help(for value: LetterCaseFlag) -> ArgumentHelp? {
    switch value {
    case .ignoreCase: "Ignore case."
    case .caseSensitive: "Match case."
    case .smartCase: "Ignore case unless a pattern contains an upper-case letter."
    }
  }
}

/// Options that select the documents that `concord grep` searches.
struct GrepFilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("g"), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Search documents whose id matches; with a leading !, exclude them. May be repeated.", valueName: "glob"))
  var glob: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The same, ignoring case.", valueName: "glob"))
  var iglob: [String] = []

  @Option(
    name: [.customShort("t"), .long],
    help: ArgumentHelp("Search files of this type; may be repeated.", valueName: "type"))
  var type: [String] = []

  @Option(
    name: [.customShort("T"), .long],
    help: ArgumentHelp("Exclude files of this type; may be repeated.", valueName: "type"))
  var typeNot: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Add a glob to a file type, or define a new type: web:*.html; may be repeated.", valueName: "type:glob"))
  var typeAdd: [String] = []

  @Option(help: ArgumentHelp("Remove the globs of this type; may be repeated.", valueName: "type"))
  var typeClear: [String] = []

  @Flag(help: "List the file types.")
  var typeList = false

  @Option(
    help: ArgumentHelp(
      "The property to search in. (default: text; every string of documents without it)", valueName: "property"))
  var field: String?

  @Option(help: ArgumentHelp("Sort the documents.", valueName: "by"))
  var sort: GrepOrder?

  @Option(help: ArgumentHelp("Sort the documents in reverse order.", valueName: "by"))
  var sortr: GrepOrder?

  @Flag(help: "Scan every document instead of using indexes.")
  var noIndex = false

  @Flag(help: "Leave out PostgreSQL servers that cannot be reached, and report them, instead of failing.")
  var partial = false

  @Option(
    help: ArgumentHelp(
      "The time limit for matching one document, plus the same time for each 8 MiB of it. (default: 1)",
      valueName: "seconds"))
  var timeLimit: Double?

  @OptionGroup
  var wholeTimeLimit: TimeoutOption

  @Flag(help: "First update the database from files that have changed. Records that cannot be read are reported.")
  var fresh = false
}

/// Sort orders as an option.
enum GrepOrder: String, CaseIterable, ExpressibleByArgument {
  case none, path, modified
}
