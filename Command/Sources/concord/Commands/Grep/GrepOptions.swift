import ArgumentParser

/// The options of every command, as `concord grep` has them: ripgrep's short options need the letters `c` and `v`.
struct GrepDatabaseOptions: ParsableArguments, DatabaseOptions {
  @OptionGroup
  var shared: SharedOptions

  @Option(help: SharedOptions.collectionHelp)
  var collection: String?

  @Flag(name: .shortAndLong, help: "Print nothing; the exit status tells whether a line matches.")
  var quiet = false

  @Flag(help: "Print more messages.")
  var verbose = false
}

/// What `concord grep` looks for.
struct GrepPatternOptions: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("regexp")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A pattern; may be repeated, and then any of them matches. For patterns that begin with a dash.",
      valueName: "pattern"))
  var regexps: [String] = []

  @Option(
    name: [.customShort("f"), .customLong("file")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Read patterns from a file, one a line; - is the standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Flag(name: [.customShort("F"), .long], help: "The patterns are text, not regular expressions.")
  var fixedStrings = false

  @Flag(exclusivity: .chooseLast)
  var letterCase = LetterCaseFlag.caseSensitive

  @Flag(name: [.customShort("w"), .customLong("word-regexp")], help: "Match whole words only.")
  var wordRegexp = false

  @Flag(name: [.customShort("x"), .customLong("line-regexp")], help: "Match whole lines only.")
  var lineRegexp = false

  @Flag(name: [.customShort("v"), .customLong("invert-match")], help: "Print the lines that do not match.")
  var invertMatch = false

  @Flag(name: [.customShort("U"), .long], help: "Let matches reach across lines.")
  var multiline = false

  @Flag(help: "With --multiline, let . match a line break.")
  var multilineDotall = false

  @Flag(help: "A carriage return in front of a line break belongs to the break, not to the line.")
  var crlf = false

  @Flag(name: [.customShort("P"), .long], help: .hidden)
  var pcre2 = false
}

/// Whether letters match in either case.
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
    case .ignoreCase: "Letters match in either case."
    case .caseSensitive: "Letters match in their own case only."
    case .smartCase: "Letters match in either case, unless a pattern holds an upper-case one."
    }
  }
}

/// Which documents `concord grep` searches.
struct GrepFilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("g"), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Search documents whose id matches; with ! in front, leave them out. May be repeated.", valueName: "glob"))
  var glob: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The same, with letters in either case.", valueName: "glob"))
  var iglob: [String] = []

  @Option(
    name: [.customShort("t"), .long],
    help: ArgumentHelp("Search files of this type; may be repeated.", valueName: "type"))
  var type: [String] = []

  @Option(
    name: [.customShort("T"), .long],
    help: ArgumentHelp("Leave out files of this type; may be repeated.", valueName: "type"))
  var typeNot: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Add a glob to a type of files, or make a new type: web:*.html; may be repeated.", valueName: "type:glob"))
  var typeAdd: [String] = []

  @Option(help: ArgumentHelp("Forget the globs of this type; may be repeated.", valueName: "type"))
  var typeClear: [String] = []

  @Flag(help: "List the types of files.")
  var typeList = false

  @Option(
    help: ArgumentHelp(
      "The property to search in. (default: text; every string of documents without it)", valueName: "property"))
  var field: String?

  @Option(help: ArgumentHelp("The order of the documents.", valueName: "by"))
  var sort: GrepOrder?

  @Option(help: ArgumentHelp("The same order reversed.", valueName: "by"))
  var sortr: GrepOrder?

  @Flag(help: "Read every document, whatever indexes there are.")
  var noIndex = false

  @Option(
    help: ArgumentHelp(
      "How long matching may take for a document, and once more for each 8 MiB of it. (default: 1)",
      valueName: "seconds"))
  var timeLimit: Double?

  @OptionGroup
  var wholeTimeLimit: TimeLimitOption

  @Flag(help: "Read files that are newer than the database into it first.")
  var fresh = false
}

/// Orders of documents as an option.
enum GrepOrder: String, CaseIterable, ExpressibleByArgument {
  case none, path, modified
}
