import Concordance

/// Converts the options of `concord grep` to a search request and an output format. Options combine as in ripgrep.
struct GrepSetup {
  let pattern: GrepPatternOptions
  let filter: GrepFilterOptions
  let output: GrepOutputOptions
  let patterns: [GrepPattern]
  let paths: GrepPaths
  /// Whether the output is coloured.
  let color: Bool
  /// Whether the output is a terminal.
  let isTerminal: Bool
  let isQuiet: Bool
  /// Whether the only path is a document's id, which need not be printed with each line.
  let isSingleDocument: Bool

  /// The summary printed for each document instead of its lines; nil if lines are printed.
  var summaryKind: GrepSummaryPrinter.Kind? {
    if output.json { return nil }
    if isQuiet { return .nothing }
    if output.count || output.countMatches {
      return output.countMatches || output.onlyMatching ? .matchCount : .lineCount
    }
    return output.files.map { $0 == .filesWithMatches ? .id : .idWithoutMatch }
  }

  /// - Throws: ``CommandFailure`` for a pattern that requires another option.
  func check() throws {
    let request = request
    guard !request.isMultiline, let pattern = request.patternRequiringLineBreak else { return }
    let message = "the pattern \"\(pattern)\" matches a line break, but matches cannot span lines; use -U"
    throw CommandFailure(patterns.first { $0.text == pattern }?.located(message) ?? message)
  }

  var request: PatternSearchRequest {
    var request = PatternSearchRequest()
    request.patterns = patterns.map(\.text)
    request.isLiteral = pattern.fixedStrings
    request.letterCase =
      switch pattern.letterCase {
      case .ignoreCase: .insensitive
      case .caseSensitive: .sensitive
      case .smartCase: .smart
      }
    request.matchesWords = pattern.wordRegexp
    request.matchesWholeLines = pattern.lineRegexp
    request.isInverted = pattern.invertMatch
    request.isMultiline = pattern.multiline
    request.dotMatchesNewlines = pattern.multilineDotall
    request.ignoresCarriageReturns = pattern.crlf
    if let limit = filter.timeLimit { request.timeLimit = .seconds(limit) }
    request.timeout = filter.wholeTimeLimit.duration
    request.field = filter.field
    request.idPrefixes = paths.idPrefixes
    request.sourcePaths = paths.sourcePaths
    request.reversesOrder = filter.sortr != nil
    request.order =
      switch filter.sortr ?? filter.sort ?? .none {
      case .none: .stored
      case .path: .id
      case .modified: .modified
      }
    request.usesIndex = !filter.noIndex
    request.allowsPartialResults = filter.partial
    request.maximumCount = output.maxCount
    if summaryKind == nil {
      request.linesBefore = output.beforeContext ?? output.context ?? 0
      request.linesAfter = output.afterContext ?? output.context ?? 0
      request.showsAllLines = output.passthru
    }
    request.numbersLines = showsNumbers
    request.visitsAllDocuments =
      output.passthru || summaryKind == .idWithoutMatch || (summaryKind != nil && output.includeZero)
    return request
  }

  var format: GrepFormat {
    var format = GrepFormat()
    format.hasHeading = !output.vimgrep && isPretty(output.headings.map { $0 == .heading })
    format.showsID = output.filenames.map { $0 == .withFilename } ?? (output.vimgrep || !isSingleDocument)
    format.showsNumbers = showsNumbers
    format.showsColumn = output.column ?? output.vimgrep
    format.showsOffset = output.byteOffset
    format.onlyMatching = output.onlyMatching
    format.isPerMatch = output.vimgrep
    format.replacement = replacement
    format.maximumColumns = output.maxColumns == 0 ? nil : output.maxColumns
    format.showsPreview = output.maxColumnsPreview
    format.trims = output.trim
    format.endsIDsWithNUL = output.null
    format.contextSeparator = output.noContextSeparator ? nil : GrepSetup.unescaped(output.contextSeparator ?? "--")
    if let separator = output.fieldMatchSeparator { format.matchSeparator = GrepSetup.unescaped(separator) }
    if let separator = output.fieldContextSeparator { format.fieldContextSeparator = GrepSetup.unescaped(separator) }
    format.isColored = color
    format.isForTerminal = isTerminal
    format.countsMatches = output.stats
    return format
  }

  var replacement: LineReplacement? { output.replace.map { LineReplacement($0) } }

  /// The text between the lines of two documents, without the line break; nil for nothing.
  var documentSeparator: [UInt8]? {
    guard summaryKind == nil, !output.json else { return nil }
    if format.hasHeading { return [] }
    guard !output.passthru else { return nil }
    return request.linesBefore > 0 || request.linesAfter > 0 ? format.contextSeparator : nil
  }

  private var showsNumbers: Bool {
    guard summaryKind == nil else { return false }
    if let flag = output.lineNumbers { return flag == .lineNumber }
    return isTerminal || output.pretty || output.column == true || output.vimgrep || output.json
  }

  private func isPretty(_ choice: Bool?) -> Bool { choice ?? (isTerminal || output.pretty) }

  /// Returns the bytes of a string in which `\n`, `\t`, `\r`, `\\` and `\x7F` are escapes.
  private static func unescaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.first else {
        result.append(byte)
        continue
      }
      rest = rest.dropFirst()
      switch escape {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "\\"): result.append(escape)
      case UInt8(ascii: "x"):
        if let digits = String(rest.prefix(2)), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
          result.append(value)
          rest = rest.dropFirst(2)
        } else {
          result += [byte, escape]
        }
      default: result += [byte, escape]
      }
    }
    return result
  }
}
