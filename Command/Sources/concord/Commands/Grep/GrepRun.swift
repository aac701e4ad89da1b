import Concordance

/// A run of `concord grep`: searches the documents, prints the lines, and reports problems.
struct GrepRun {
  let setup: GrepSetup
  /// The filter of documents; nil for all documents.
  let documents: DocumentFilter?
  let collection: Collection
  let messages: Messages

  /// - Returns: the exit status, as in ripgrep.
  func run() throws -> Int32 {
    let start = ContinuousClock.now
    let request = setup.request
    let printer = printer(request)
    let output = StandardOutput()
    let endsAtFirst = setup.isQuiet && !setup.output.stats && !setup.output.json
    var statistics = GrepStatistics()
    var hasPrinted = false
    var problemCount = 0
    var sources = StaleSources()
    let filter = documents.map { documents -> @Sendable (String) -> Bool in { documents.includes($0) } }
    let sizeOf: @Sendable (GrepOutput) -> Int = { $0.bytes.count }
    let summary = try collection.searchLines(request, including: filter, sizeOf: sizeOf) {
      try printer($0)
    } deliver: { found in
      statistics.add(found)
      if found.problem != nil { problemCount += 1 }
      let isFound = statistics.foundCount > 0
      output.statusOfClosedPipe = status(hasErrors: problemCount > 0, isFound: isFound) ?? ExitStatus.success
      if !found.bytes.isEmpty {
        if hasPrinted, let separator = setup.documentSeparator {
          output.write(bytes: separator)
          output.write("\n")
        }
        hasPrinted = true
        output.write(bytes: found.bytes)
        output.flushIfDue()
      }
      if let problem = found.problem {
        output.flush()
        if !setup.output.noMessages {
          messages.error("\(found.id): \(problem)")
        }
      }
      if found.isFound { sources.add(found.id) }
      return !(endsAtFirst && found.isFound)
    }
    statistics.documentCount = summary.documentCount
    statistics.byteCount = summary.byteCount
    statistics.seconds = start.duration(to: .now) / .seconds(1)
    statistics.missingServers = summary.missingServers
    let isMissing = !summary.missingPrefixes.isEmpty || !summary.missingSourcePaths.isEmpty
    let known = status(hasErrors: problemCount > 0 || isMissing, isFound: statistics.foundCount > 0)
    output.statusOfClosedPipe = known ?? ExitStatus.success
    if setup.output.json {
      output.write(bytes: GrepJSONPrinter.summary(statistics))
    } else if setup.output.stats {
      output.write(statistics.text)
    }
    output.flush()
    MissingServers.warn(of: summary.missingServers, messages)
    if !setup.output.noMessages {
      let place = summary.missingServers.isEmpty ? "" : " on the servers that were searched"
      for prefix in summary.missingPrefixes {
        messages.error("\(prefix): no document\(place) has this id or an id below it")
      }
      for path in summary.missingSourcePaths { messages.error("\(path): no file\(place) was indexed from there") }
      if !setup.isQuiet {
        let foundNothing = statistics.foundCount == 0
        for notice in try sources.notices(in: collection, foundNothing: foundNothing) { messages.warning(notice) }
        if foundNothing, let notice = try EmptyCollection.notice(of: collection) { messages.warning(notice) }
      }
    }
    return known ?? summary.missingServers.nothingFoundStatus
  }

  /// Returns the exit status of a run with errors or matches; nil if there are neither.
  private func status(hasErrors: Bool, isFound: Bool) -> Int32? {
    if setup.isQuiet, isFound { return ExitStatus.success }
    if hasErrors { return ExitStatus.error }
    return isFound ? ExitStatus.success : nil
  }

  private func printer(_ request: PatternSearchRequest) -> @Sendable (SearchedDocument) throws -> GrepOutput? {
    let format = setup.format
    if setup.output.json {
      let printer = GrepJSONPrinter(replacement: setup.replacement, isQuiet: setup.isQuiet)
      return { try printer.print($0) }
    }
    if let kind = setup.summaryKind {
      let printer = GrepSummaryPrinter(
        kind: kind, format: format, showsZero: setup.output.includeZero, isInverted: request.isInverted)
      return { try printer.print($0) }
    }
    let printer = GrepLinePrinter(format: format)
    return { try printer.print($0) }
  }
}

extension GrepStatistics {
  /// Adds the results of a document.
  fileprivate mutating func add(_ found: GrepOutput) {
    if found.isFound { foundCount += 1 }
    lineCount += found.lineCount
    matchCount += found.matchCount
    searchSeconds += found.seconds
    printedCount += found.printedCount
  }
}
