import ArgumentParser

/// The output options of `concord grep`.
struct GrepOutputOptions: ParsableArguments {
  @Flag(exclusivity: .chooseLast)
  var lineNumbers: LineNumberFlag?

  @Flag(exclusivity: .chooseLast)
  var filenames: FilenameFlag?

  @Flag(exclusivity: .chooseLast)
  var headings: HeadingFlag?

  @Flag(
    name: [.customShort("p"), .long],
    help:
      "Print as on a terminal: in colour (unless --color or NO_COLOR disables it), --heading and --line-number."
  )
  var pretty = false

  @Flag(name: [.customShort("o"), .long], help: "Print only the matches, one per line.")
  var onlyMatching = false

  @Option(
    name: [.customShort("r"), .long], parsing: .unconditional,
    help: ArgumentHelp("Replace matches with this text; $1, ${1} and ${name} insert groups.", valueName: "text"))
  var replace: String?

  @Flag(name: [.customShort("c"), .long], help: "Print the number of matching lines.")
  var count = false

  @Flag(help: "Print the number of matches.")
  var countMatches = false

  @Flag(help: "Also print counts of zero.")
  var includeZero = false

  @Flag(exclusivity: .chooseLast)
  var files: FileListFlag?

  @Option(
    name: [.customShort("A"), .long], help: ArgumentHelp("Print this many lines after each match.", valueName: "count"))
  var afterContext: Int?

  @Option(
    name: [.customShort("B"), .long], help: ArgumentHelp("Print this many lines before each match.", valueName: "count")
  )
  var beforeContext: Int?

  @Option(
    name: [.customShort("C"), .long],
    help: ArgumentHelp("Print this many lines before and after each match.", valueName: "count"))
  var context: Int?

  @Flag(help: "Print all lines, matching or not.")
  var passthru = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The separator between lines that are not adjacent. (default: --)", valueName: "text"))
  var contextSeparator: String?

  @Flag(help: "Print no separator between lines that are not adjacent.")
  var noContextSeparator = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The separator after ids and numbers before a matching line. (default: :)", valueName: "text"))
  var fieldMatchSeparator: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The separator after ids and numbers before other lines. (default: -)", valueName: "text"))
  var fieldContextSeparator: String?

  @Option(
    name: [.customShort("m"), .long],
    help: ArgumentHelp("Print at most this many matching lines per document.", valueName: "count"))
  var maxCount: Int?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast, help: "Print the column of the first match, from 1, in bytes.")
  var column: Bool?

  @Flag(name: [.customShort("b"), .long], help: "Print the byte offset of each line.")
  var byteOffset = false

  @Flag(help: "Print each match on a separate line, with line and column.")
  var vimgrep = false

  @Option(
    name: [.customShort("M"), .long],
    help: ArgumentHelp("Do not print lines longer than this.", valueName: "bytes"))
  var maxColumns: Int?

  @Flag(help: "Print the beginning of lines that are too long.")
  var maxColumnsPreview = false

  @Flag(help: "Trim white space at the beginning of lines.")
  var trim = false

  @Flag(name: [.customShort("0"), .customLong("null")], help: "Print a NUL byte after ids.")
  var null = false

  @Flag(help: "Print JSON Lines, as ripgrep does.")
  var json = false

  @Flag(help: "Print search statistics.")
  var stats = false

  @Flag(help: "Exit with 0 if no line matches.")
  var exitZero = false

  @Flag(help: "Do not report documents that do not exist or cannot be searched; the exit status is still 2.")
  var noMessages = false
}

/// Whether only ids are printed, and of which documents.
enum FileListFlag: EnumerableFlag {
  case filesWithMatches, filesWithoutMatch

  static func name(for value: FileListFlag) -> NameSpecification {
    value == .filesWithMatches ? [.customShort("l"), .long] : [.long]
  }

  static func help(for value: FileListFlag) -> ArgumentHelp? {
    value == .filesWithMatches
      ? "Print the ids of documents with a match." : "Print the ids of documents without a match."
  }
}

/// Whether lines are numbered.
enum LineNumberFlag: EnumerableFlag {
  case lineNumber, noLineNumber

  static func name(for value: LineNumberFlag) -> NameSpecification {
    value == .lineNumber ? [.customShort("n"), .long] : [.customShort("N"), .long]
  }

  static func help(for value: LineNumberFlag) -> ArgumentHelp? {
    value == .lineNumber ? "Number the lines, as on a terminal." : "Do not number the lines."
  }
}

/// Whether documents' ids are printed.
enum FilenameFlag: EnumerableFlag {
  case withFilename, noFilename

  static func name(for value: FilenameFlag) -> NameSpecification {
    value == .withFilename ? [.customShort("H"), .long] : [.customShort("I"), .long]
  }

  static func help(for value: FilenameFlag) -> ArgumentHelp? {
    value == .withFilename
      ? "Print the id with each line, even for a single document." : "Do not print ids."
  }
}

/// Whether ids are printed above the lines.
enum HeadingFlag: EnumerableFlag {
  case heading, noHeading

  static func help(for value: HeadingFlag) -> ArgumentHelp? {
    value == .heading ? "Print the id above the lines, as on a terminal." : "Print the id before each line."
  }
}
