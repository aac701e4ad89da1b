import ArgumentParser
import Concordance
import Foundation

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find the documents that match a query best.",
    discussion: """
      Any text is a valid query. Documents with all words are found; if there are few of them and the query has three \
      words or more, documents with some of the words follow. "a phrase" in quotation marks, this OR that, this AND \
      that, this NOT that or -that, (brackets), field:word, begin* and tpyo~ refine the query. AND, OR and NOT are \
      operators only in capital letters. Multiple arguments are joined with spaces; put -- before a query that \
      begins with -word, which would otherwise be parsed as an option.

      A file that the query names, by its path or the end of its path, comes first. In a database of files, path: and \
      type: are fields; type: takes a type (markdown, code) or a file name extension (c, py).

      '*', or a search without words but with --where, --select, --facet or --sort, lists all documents that \
      satisfy the conditions, sorted by id or by --sort. -n 0 prints only facets and the total.

        $ concord search memory barrier
        $ concord search '"memory barrier" title:locking' -n 20
        $ concord search -- kernel -driver
        $ concord search --weight title=3 --fields title,text scheduler
        $ concord search --syntax fts5 'NEAR(read write, 5) NOT lock'
        $ concord search --json coffee | jq -r .id
        $ concord search --like docs/manual.md
        $ concord search --feedback heat transfer at high speed
        $ concord search coffee --where 'stars >= 4 AND city = "Lyon"' \\
            --sort 'price, META().id'
        $ concord search coffee --facet type --facet tags:20 --select type=hotel
        $ concord search --fresh todo
        $ concord search kernel/sched/core.c
        $ concord search --files sched core
        $ concord search 'memory barrier path:mm type:c'
        $ concord search '(json OR yaml) AND parser NOT test'
        $ concord search --watch error
        $ concord search -n 0 --facet type '*'
        $ concord search --unique harbour
        $ concord search -n 0 --duplicates 20 '*'
        $ concord search --fuse rrf 'heat transfer' 'thermal conduction'
        $ concord search --fuse sum --fuse-models bm25,dph,sdm heat transfer

      If too few documents contain all the words, words that occur in no document are corrected; if that is not \
      enough, documents with only some of the words match. A message reports this, and --exact turns it off.

      --fuse combines the rankings of several searches: rrf by reciprocal ranks, sum by the sum of the scores, each \
      normalized from 0 to 1, mnz by this sum times the number of searches that found the document. Each argument is a \
      query of its own; with --fuse-models, the arguments are one query, which is ranked by each of the models.

      With --json, each line is a hit: rank, id, collection, score, title, snippet, matches (field, start and end in \
      bytes of UTF-8, and the line in the text of a file), explanation with --explain, and document with --document. \
      An explanation is a tree: "score" and its summands in "all", "any" or "sum", a "term" with "documents" (its \
      document frequency), "of" (the number of all documents), "idf", "saturation", "k1", "b" and "fields", or "length" \
      and "weight". With --facet, the \
      last line contains total and facets: property, values (value and count), others, documents, min and max. With \
      --unique, "duplicates" of a hit are the ids of documents with the same or nearly the same text; with \
      --duplicates, the last line contains the groups of such ids. If the \
      query was relaxed, each hit also contains "relaxed" (an array with "spelling", "anyWord" or both) and, if words \
      were corrected, "didYouMean" (the corrected query).

      With --partial, a search of a database on several PostgreSQL servers leaves out those that cannot be reached. A \
      message names each of them, and with --json the last line contains "missingServers": number, firstShard, lastShard \
      and message. Counts and scores then refer to the documents of the other servers.

      With --watch, the search runs again when this or another process changes documents, until Ctrl-C. The hits are \
      printed again if they differ. With --json, each line is the difference from the previous hits: deletions (old \
      positions), insertions (index and hit), moves (from and to), updates (from, index and hit), and count.

      Exit status: 0 found, 1 nothing found, 2 error. With --partial, it is also 2 if nothing was found and servers \
      are missing.
      """)

  @Argument(help: ArgumentHelp("What to search for.", valueName: "query"))
  var query: [String] = []

  @Option(help: ArgumentHelp("Find documents similar to this one instead of running a query.", valueName: "id"))
  var like: String?

  @OptionGroup
  var ranking: RankingOptions

  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("The maximum number of hits.", valueName: "count"))
  var limit = 10

  @Option(help: ArgumentHelp("The number of hits to skip.", valueName: "count"))
  var offset = 0

  @Option(help: ArgumentHelp("Search only in these fields.", valueName: "a,b"))
  var fields: FieldList?

  @Flag(help: "Search only in the paths of files.")
  var files = false

  @Option(
    help: ArgumentHelp("Weight matches in a field more or less; may be repeated.", valueName: "field=factor"),
    transform: FieldWeight.init(parsing:))
  var weight: [FieldWeight] = []

  @Option(help: ArgumentHelp("The number of snippets per hit, at most 100.", valueName: "count"))
  var snippets = 1

  @Option(
    help: ArgumentHelp("The query language: search-box syntax or FTS5 syntax.", valueName: "syntax"))
  var syntax = QuerySyntax.box

  @Option(help: ArgumentHelp("The full-text index; by default the only one, or `search`.", valueName: "name"))
  var index: String?

  @Flag(help: "Search for the query exactly as typed, even if nothing matches.")
  var exact = false

  @Flag(help: "Print only the number of documents that match.")
  var count = false

  @Flag(help: "Include the documents in the JSON.")
  var document = false

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Flag(help: "First update the database from files that have changed. Records that cannot be read are reported.")
  var fresh = false

  @Flag(help: "Print the hits again whenever they change, until Ctrl-C. --timeout limits each search.")
  var watch = false

  @OptionGroup
  var fusion: FusionOptions

  @OptionGroup
  var timeLimit: TimeoutOption

  @OptionGroup
  var refinement: SearchRefinementOptions

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    if fresh { try SourceRefresh.read(global, messages) }
    let collection = try global.collection(in: try global.openForReading())
    let request = try request(in: collection)
    if let method = fusion.method { return try printFused(request, by: method, in: collection, messages) }
    if files { try requirePaths(in: collection) }
    if watch { try watchHits(of: request, in: collection, messages) }
    if count { return try printCount(of: request, in: collection, messages) }
    let start = ContinuousClock.now
    let results = try searching(in: collection, messages) { try collection.search(request) }
    let seconds = start.duration(to: .now) / .seconds(1)
    for line in SearchMessages(results: results, offset: offset, limit: limit, explains: refinement.explain).lines {
      messages.warning(line)
    }
    MissingServers.warn(of: results.missingServers, messages)
    // These, and the comparison with files below, read documents of all servers.
    if results.missingServers.isEmpty {
      try warnOfUnknownProperties(request, results, in: collection, messages)
      if results.hits.isEmpty, limit > 0 { try warnOfTypeName(in: collection, messages) }
      try warnOfLookalikes(request, results, in: collection, messages)
    }
    // Printed even without hits: facets show the values that could be selected instead.
    print(results, in: collection)
    var sources = StaleSources()
    for hit in results.hits { sources.add(hit.id) }
    let foundNothing = results.total.value == 0
    if results.missingServers.isEmpty {
      for notice in try sources.notices(in: collection, foundNothing: foundNothing) { messages.warning(notice) }
    }
    guard !results.hits.isEmpty || limit == 0 && results.total.value > 0 else {
      throw ExitCode(results.missingServers.nothingFoundStatus)
    }
    messages.note(summary(results, seconds))
    if let server = results.server { messages.note("PostgreSQL: " + server.lines.joined(separator: "; ")) }
  }

  private func watchHits(of request: SearchRequest, in collection: Collection, _ messages: Messages) throws -> Never {
    // Errors in the query are reported with their position.
    _ = try searching(in: collection, messages) { try collection.search(request) }
    let output = LiveOutput()
    if json {
      let withDocument = document
      output.print(collection.searchDifferences(request)) { change in
        LiveOutput.line(change.difference, count: change.results.hits.count, name: "hit") { index in
          HitJSON.line(
            change.results.hits[index], in: collection, relaxation: change.results.relaxation,
            withDocument: withDocument)
        }
      }
    }
    var isFirst = true
    let token = collection.addSearchListener(request, queue: output.queue) { result in
      switch result {
      case .success(let results):
        output.beginResult(isFirst: isFirst)
        isFirst = false
        let text = SearchMessages(
          results: results, offset: offset, limit: limit, explains: refinement.explain, reportsEmptyResult: false)
        for line in text.lines { messages.warning(line) }
        print(results, in: collection)
      case .failure(let error): LiveOutput.report(error, messages)
      }
    }
    withExtendedLifetime(token) { LiveOutput.waitForInterrupt() }
  }

  /// Throws if the index does not contain paths: an older version built it, or the user chose other fields.
  private func requirePaths(in collection: Collection) throws {
    guard let searched = try collection.searchedIndex(named: index), !searched.fields.contains(CorpusKinds.path) else {
      return
    }
    throw CommandFailure(
      "the index \"\(searched.name)\" has no field \(CorpusKinds.path); `concord index` with the same files adds it")
  }

  /// Suggests a query if `type:` is used with the name of a file type, unless `type:` is a field of the index.
  func warnOfTypeName(in collection: Collection, _ messages: Messages) throws {
    guard syntax == .box, let hint = TypeHint.message(for: query.joined(separator: " ")) else { return }
    let searched = try collection.searchedIndex(named: index)
    if searched?.fields.contains(CorpusKinds.path) == true { messages.warning(hint) }
  }

  /// Warns of properties that no document has, if this may explain the result.
  private func warnOfUnknownProperties(
    _ request: SearchRequest, _ results: SearchResults, in collection: Collection, _ messages: Messages
  ) throws {
    if refinement.sort != nil || results.hits.isEmpty && refinement.narrows
      || results.facets.contains(where: { $0.documentCount == 0 })
    {
      try reportUnknownProperties(of: request, in: collection, messages)
    }
  }

  private func reportUnknownProperties(
    of request: SearchRequest, in collection: Collection, _ messages: Messages
  ) throws {
    for property in try collection.unknownProperties(of: request) { messages.warning(property.message) }
  }

  private func print(_ results: SearchResults, in collection: Collection) {
    let output = StandardOutput()
    let style = global.outputStyle
    if json {
      for hit in results.hits {
        output.writeJSON(
          HitJSON.line(hit, in: collection, relaxation: results.relaxation, withDocument: document))
      }
      if !results.facets.isEmpty { output.writeJSON(FacetPrinter.line(results)) }
      if refinement.duplicates > 0 { output.writeJSON(DuplicatePrinter.line(results)) }
      if !results.missingServers.isEmpty { output.writeJSON(MissingServers.line(results.missingServers)) }
    } else {
      let printer = HitPrinter(
        style: style, width: Terminal.width(STDOUT_FILENO), showsScores: !results.isUnranked)
      if watch, results.hits.isEmpty { output.writeLine(Quantity.count(0, "hit")) }
      for hit in results.hits { output.write(printer.text(hit)) }
      let isEmpty = results.hits.isEmpty && results.facets.allSatisfy { $0.documentCount == 0 }
      for facet in results.facets where !isEmpty { output.write(FacetPrinter(style: style).text(facet)) }
      if refinement.duplicates > 0 { output.write(DuplicatePrinter(style: style).text(results)) }
    }
    output.flush()
  }

  private func request(in collection: Collection) throws -> SearchRequest {
    var request =
      like.map { SearchRequest(like: $0) } ?? SearchRequest(query.joined(separator: " "), syntax: syntax.syntax)
    ranking.apply(to: &request)
    if fusion.models == nil { request.model = try ranking.model(in: collection, index: index) }
    request.index = index
    request.fields = files ? [CorpusKinds.path] : fields?.names
    request.weights = weight.factors
    request.limit = limit
    request.offset = offset
    request.snippetCount = snippets
    // --count counts the matches of the query as typed, not those of a relaxed query.
    request.relaxes = !exact && !count
    request.timeout = timeLimit.duration
    refinement.apply(to: &request)
    // Without hits, only the number of documents is requested.
    if limit == 0 { request.counting = .exact }
    return request
  }

  private func printCount(of request: SearchRequest, in collection: Collection, _ messages: Messages) throws {
    var counting = request
    (counting.limit, counting.counting) = (0, .exact)
    let needsSearch = !refinement.facets.isEmpty || refinement.partial
    let results = needsSearch ? try searching(in: collection, messages) { try collection.search(counting) } : nil
    let total =
      try results?.total
      ?? SearchTotal.exact(searching(in: collection, messages) { try collection.count(matching: request) })
    let count = total.value
    let output = StandardOutput()
    if json {
      var line = JSONLine()
      line.add("count", count)
      output.writeJSON(line.text)
    } else if case .atLeast = total {
      output.writeLine("at least \(count)")
    } else {
      output.writeLine(String(count))
    }
    output.flush()
    if let results {
      MissingServers.warn(of: results.missingServers, messages)
      print(results, in: collection)
    }
    guard count == 0 else { return }
    if let results, !results.missingServers.isEmpty { throw ExitCode(ExitStatus.error) }
    try warnOfTypeName(in: collection, messages)
    if refinement.narrows { try reportUnknownProperties(of: request, in: collection, messages) }
    throw ExitCode(ExitStatus.nothingFound)
  }

  /// Calls `body`, and reports errors in the query or the condition with their position.
  func searching<T>(in collection: Collection, _ messages: Messages, _ body: () throws -> T) throws -> T {
    try QueryInput.reportingErrors(messages) {
      do {
        return try body()
      } catch let error as CBLError
        where error.code == CBLError.missingIndex && index == nil && refinement.condition == nil
      {
        if let notice = try EmptyCollection.notice(of: collection) {
          throw CommandFailure("\(global.databaseName): \(notice)")
        }
        let hasIndexes = try !collection.indexDescriptions().isEmpty
        let advice = hasIndexes ? " with --index" : "; create one with `concord index`"
        throw CommandFailure("\(global.databaseName): \(error.message)\(advice)")
      }
    }
  }

  private func summary(_ results: SearchResults, _ seconds: Double) -> String {
    let shown = results.hits.count
    let hits =
      switch results.total {
      case .exact(let total) where limit == 0 || total == shown: Quantity.count(total, "hit")
      case .exact(let total): "\(Quantity.count(shown)) of \(Quantity.count(total, "hit"))"
      case .atLeast(let total): "\(Quantity.count(shown)) of at least \(Quantity.count(total, "hit"))"
      }
    let order = results.isUnranked && refinement.sort == nil ? " sorted by id" : ""
    return "\(hits)\(order), \(Quantity.seconds(seconds))"
  }
}

/// The query languages as an option.
enum QuerySyntax: String, CaseIterable, ExpressibleByArgument {
  case box
  case fts5

  var syntax: SearchRequest.Syntax {
    switch self {
    case .box: .box
    case .fts5: .fts5
    }
  }
}
