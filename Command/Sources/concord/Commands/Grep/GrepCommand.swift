import ArgumentParser
@_spi(Command) import Concordance
import Foundation

/// A separate root command: the options of ``Concord`` would consume `-c` and `-v`, which have a different meaning in
/// `grep`, at any position. Besides, each command level that the parser passes through takes milliseconds.
struct GrepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grep",
    _superCommandName: "concord",
    abstract: "Print the lines of documents that match a regular expression.",
    usage: """
      concord grep [<options>] <pattern> [<path> ...]
      concord grep [<options>] -e <pattern> ... [<path> ...]
      concord grep [<options>] -f <file> ... [<path> ...]
      """,
    discussion: """
      The options, output and exit status are the same as in ripgrep (rg); patterns are those of PCRE2. It searches \
      the text in the database: the text of files, and every string of other documents. A path selects the files that \
      were indexed from there; any other relative path selects documents by their ids: docs selects docs, docs/a.md \
      and docs:12, but not docs2.

        $ concord grep 'EXPORT_SYMBOL_GPL\\(usb_\\w+\\)'
        $ concord grep -i -C2 'memory barrier' Documentation
        $ concord grep -tc -g '!drivers/' -l spin_lock
        $ concord grep --json TODO src \\
            | jq -r 'select(.type == "match").data.lines.text'

      Exit status: 0 a line matches, 1 no line matches (0 with --exit-zero), 2 error, even if lines were printed.
      """,
    version: Concord.version)

  @Argument(help: ArgumentHelp("The pattern, unless -e or -f gives it, and paths.", valueName: "pattern"))
  var arguments: [String] = []

  @OptionGroup(title: "Patterns")
  var pattern: GrepPatternOptions

  @OptionGroup(title: "Where")
  var filter: GrepFilterOptions

  @OptionGroup(title: "Output")
  var output: GrepOutputOptions

  @OptionGroup
  var global: GrepDatabaseOptions

  func validate() throws {
    if filter.typeList { return }
    if arguments.isEmpty, !hasPatternOptions {
      throw ValidationError("The pattern is missing. Use -e for a pattern that begins with a dash.")
    }
    let others = [
      ("--count", output.count), ("--count-matches", output.countMatches),
      ("--files-with-matches", output.files == .filesWithMatches),
      ("--files-without-match", output.files == .filesWithoutMatch),
    ]
    if output.json, let other = others.first(where: \.1) {
      throw ValidationError("\(other.0) cannot be used with --json.")
    }
    let numbers = [
      ("--after-context", output.afterContext), ("--before-context", output.beforeContext),
      ("--context", output.context),
      ("--max-count", output.maxCount), ("--max-columns", output.maxColumns),
    ]
    if let limit = filter.timeLimit, !(limit > 0 && limit <= 1e9) {
      throw ValidationError("--time-limit takes a number of seconds above 0, not \(limit).")
    }
    if filter.sort != nil, filter.sortr != nil {
      throw ValidationError("--sort and --sortr cannot be used together.")
    }
    for (name, value) in numbers {
      if let value, value < 0 { throw ValidationError("\(name) takes 0 or more, not \(value).") }
    }
  }

  func run() throws {
    if filter.typeList {
      let output = StandardOutput()
      output.write(try fileTypes.list)
      return output.flush()
    }
    let messages = global.makeMessages()
    let patterns = try patterns()
    let documents = try DocumentFilter(
      globs: filter.glob, caselessGlobs: filter.iglob, types: filter.type, unwantedTypes: filter.typeNot,
      try fileTypes)
    if filter.fresh { try SourceRefresh.read(global, messages) }
    // A single search reads each page once; caching the pages takes longer than reusing the buffers.
    let collection = try global.collection(in: try global.openForReading(pageCacheSize: 512 << 10))
    let paths = try GrepPaths(hasPatternOptions ? arguments[...] : arguments.dropFirst(), in: collection)
    let setup = GrepSetup(
      pattern: pattern, filter: filter, output: output, patterns: patterns, paths: paths,
      color: global.color.isOn(for: STDOUT_FILENO, isPretty: output.pretty),
      isTerminal: Terminal.isTerminal(STDOUT_FILENO),
      isQuiet: global.quiet, isSingleDocument: try paths.nameOneDocument(of: collection))
    try setup.check()
    let run = GrepRun(
      setup: setup, documents: documents.isEmpty ? nil : documents, collection: collection, messages: messages)
    let status: Int32
    do {
      status = try run.run()
    } catch let error as CBLError {
      guard error.code == CBLError.invalidQuery, let index = error.patternIndex, patterns.indices.contains(index) else {
        throw error
      }
      throw CommandFailure(patterns[index].located(error.advice))
    }
    let exitsWithZero = status == ExitStatus.nothingFound && output.exitZero
    if status != ExitStatus.success, !exitsWithZero { throw ExitCode(status) }
  }

  private var hasPatternOptions: Bool { !pattern.regexps.isEmpty || !pattern.files.isEmpty }

  private func patterns() throws -> [GrepPattern] {
    let texts = hasPatternOptions ? pattern.regexps : Array(arguments.prefix(1))
    return try texts.map { GrepPattern(text: $0) } + pattern.files.flatMap { try GrepPatternFile.read($0) }
  }

  private var fileTypes: FileTypes {
    get throws { try FileTypes(clearing: filter.typeClear, adding: filter.typeAdd) }
  }
}
