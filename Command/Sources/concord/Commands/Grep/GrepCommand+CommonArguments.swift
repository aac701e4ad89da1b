import ArgumentParser

extension GrepCommand {
  /// Returns the command for the most common arguments; nil for arguments that ArgumentParser must parse or reject.
  ///
  /// ArgumentParser finds its options by reflection, which takes more than twice as long as a search for a rare
  /// pattern.
  ///
  /// - Parameter arguments: the result of ``GrepArguments/prepared(_:)``.
  static func parsingCommonArguments(_ arguments: [String]) -> GrepCommand? {
    var options = CommonArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard options.add(argument, &rest) else { return nil }
    }
    let command = options.command
    do { try command.validate() } catch { return nil }
    return command
  }
}

/// The options of a command in the order of its arguments.
private struct CommonArguments {
  private var arguments: [String] = []
  private var pattern = GrepPatternOptions.defaults
  private var filter = GrepFilterOptions.defaults
  private var output = GrepOutputOptions.defaults
  private var database: String?
  private var isQuiet = false

  var command: GrepCommand {
    var global = GrepDatabaseOptions()
    global.database = database
    global.collection = nil
    global.color = .auto
    global.quiet = isQuiet
    global.verbose = false
    var command = GrepCommand()
    command.arguments = arguments
    command.pattern = pattern
    command.filter = filter
    command.output = output
    command.global = global
    return command
  }

  /// Adds an argument, and the next one if it is its value.
  ///
  /// - Returns: false if ArgumentParser must parse the arguments.
  mutating func add(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
    guard argument.utf8.first == UInt8(ascii: "-") else {
      arguments.append(argument)
      return !argument.isEmpty
    }
    return addFlag(argument) || addOption(argument, &rest)
  }

  private mutating func addFlag(_ argument: String) -> Bool {
    switch argument {
    case "-n", "--line-number": output.lineNumbers = .lineNumber
    case "-N", "--no-line-number": output.lineNumbers = .noLineNumber
    case "-l", "--files-with-matches": output.files = .filesWithMatches
    case "-c", "--count": output.count = true
    case "-o", "--only-matching": output.onlyMatching = true
    case "-i", "--ignore-case": pattern.letterCase = .ignoreCase
    case "-s", "--case-sensitive": pattern.letterCase = .caseSensitive
    case "-S", "--smart-case": pattern.letterCase = .smartCase
    case "-F", "--fixed-strings": pattern.fixedStrings = true
    case "-w", "--word-regexp": pattern.wordRegexp = true
    case "-x", "--line-regexp": pattern.lineRegexp = true
    case "-v", "--invert-match": pattern.invertMatch = true
    case "-q", "--quiet": isQuiet = true
    default: return false
    }
    return true
  }

  private mutating func addOption(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
    switch argument {
    case "-d", "--database":
      guard database == nil, let value = CommonArguments.value(&rest) else { return false }
      database = value
    case "-e", "--regexp":
      guard let value = CommonArguments.anyValue(&rest) else { return false }
      pattern.regexps.append(value)
    case "-g", "--glob":
      guard let value = CommonArguments.anyValue(&rest) else { return false }
      filter.glob.append(value)
    case "-t", "--type":
      guard let value = CommonArguments.value(&rest) else { return false }
      filter.type.append(value)
    case "-A", "--after-context": return CommonArguments.set(&output.afterContext, &rest)
    case "-B", "--before-context": return CommonArguments.set(&output.beforeContext, &rest)
    case "-C", "--context": return CommonArguments.set(&output.context, &rest)
    case "-m", "--max-count": return CommonArguments.set(&output.maxCount, &rest)
    default: return false
    }
    return true
  }

  /// Takes the next argument, which may look like an option. ArgumentParser does not parse options after `--`, even if
  /// it is a value.
  private static func anyValue(_ rest: inout ArraySlice<String>) -> String? {
    rest.popFirst().flatMap { $0 == "--" ? nil : $0 }
  }

  /// Takes the next argument if it cannot be an option.
  private static func value(_ rest: inout ArraySlice<String>) -> String? {
    guard let value = rest.popFirst(), let first = value.utf8.first, first != UInt8(ascii: "-") else { return nil }
    return value
  }

  private static func set(_ option: inout Int?, _ rest: inout ArraySlice<String>) -> Bool {
    guard let value = value(&rest).flatMap({ Int($0) }) else { return false }
    option = value
    return true
  }
}

// The values of all options if no argument is given. ArgumentParser stops the process if a property without a value is
// read; `GrepArgumentTests` compares these values with those that ArgumentParser sets.

extension GrepPatternOptions {
  fileprivate static var defaults: GrepPatternOptions {
    var options = GrepPatternOptions()
    (options.regexps, options.files) = ([], [])
    options.letterCase = .caseSensitive
    (options.fixedStrings, options.wordRegexp, options.lineRegexp) = (false, false, false)
    (options.invertMatch, options.multiline, options.multilineDotall) = (false, false, false)
    (options.crlf, options.pcre2) = (false, false)
    return options
  }
}

extension GrepFilterOptions {
  fileprivate static var defaults: GrepFilterOptions {
    var options = GrepFilterOptions()
    (options.glob, options.iglob) = ([], [])
    (options.type, options.typeNot, options.typeAdd, options.typeClear) = ([], [], [], [])
    (options.typeList, options.noIndex, options.fresh) = (false, false, false)
    options.partial = false
    (options.field, options.timeLimit) = (nil, nil)
    (options.sort, options.sortr) = (nil, nil)
    var timeout = TimeoutOption()
    timeout.timeout = nil
    options.wholeTimeLimit = timeout
    return options
  }
}

extension GrepOutputOptions {
  fileprivate static var defaults: GrepOutputOptions {
    var options = GrepOutputOptions()
    (options.lineNumbers, options.filenames, options.headings, options.files) = (nil, nil, nil, nil)
    (options.pretty, options.onlyMatching, options.passthru) = (false, false, false)
    (options.count, options.countMatches, options.includeZero) = (false, false, false)
    (options.afterContext, options.beforeContext, options.context) = (nil, nil, nil)
    (options.replace, options.contextSeparator, options.noContextSeparator) = (nil, nil, false)
    (options.fieldMatchSeparator, options.fieldContextSeparator) = (nil, nil)
    (options.maxCount, options.maxColumns, options.maxColumnsPreview) = (nil, nil, false)
    (options.column, options.byteOffset, options.vimgrep, options.trim) = (nil, false, false, false)
    (options.null, options.json, options.stats, options.exitZero) = (false, false, false, false)
    options.noMessages = false
    return options
  }
}
