import ArgumentParser
import Concordance
import Foundation

extension SearchCommand {
  /// Prints the combined hits of several searches.
  func printFused(
    _ request: SearchRequest, by method: FusionMethod, in collection: Collection, _ messages: Messages
  ) throws {
    let start = ContinuousClock.now
    let requests = fusion.requests(request, queries: query, ranking.model)
    let (needed, overflows) = limit.addingReportingOverflow(offset)
    let found = try searching(in: collection, messages) {
      try collection.search(
        fusing: requests, by: method.fusion, weights: fusion.weights?.numbers ?? [], limit: overflows ? .max : needed)
    }
    let hits = Array(found.dropFirst(offset))
    let output = StandardOutput()
    // The scores of reciprocal rank fusion are below 1 / 60 for each search.
    let printer = HitPrinter(style: global.outputStyle, width: Terminal.width(STDOUT_FILENO), scorePlaces: 5)
    for hit in hits {
      if json {
        output.writeJSON(HitJSON.line(hit, in: collection, relaxation: nil, withDocument: document))
      } else {
        output.write(printer.text(hit))
      }
    }
    output.flush()
    try warn(ofFused: requests, foundNothing: found.isEmpty, in: collection, messages)
    var sources = StaleSources()
    for hit in hits { sources.add(hit.id) }
    for notice in try sources.notices(in: collection, foundNothing: found.isEmpty) { messages.warning(notice) }
    guard !hits.isEmpty else {
      if !found.isEmpty, limit > 0 { messages.warning(SearchMessages.nothingFound(offset: offset)) }
      throw ExitCode(ExitStatus.nothingFound)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let searches = Quantity.count(requests.count, "search", plural: "searches")
    messages.note("\(Quantity.count(hits.count, "hit")) of \(searches), \(Quantity.seconds(seconds))")
  }

  /// Prints the messages that each search would print if it were run alone.
  private func warn(
    ofFused requests: [SearchRequest], foundNothing: Bool, in collection: Collection, _ messages: Messages
  ) throws {
    var printed = Set<String>()
    for var request in requests {
      // The length of a usual page, because some hints depend on it.
      (request.limit, request.offset, request.snippetCount) = (10, 0, 0)
      let results = try searching(in: collection, messages) { try collection.search(request) }
      let text = SearchMessages(
        results: results, offset: 0, limit: request.limit, explains: refinement.explain,
        reportsEmptyResult: foundNothing)
      var lines = text.lines
      if results.hits.isEmpty, refinement.narrows {
        lines += try collection.unknownProperties(of: request).map(\.message)
      }
      for line in lines where printed.insert(line).inserted { messages.warning(line) }
      if results.hits.isEmpty { try warnOfLookalikes(request, results, in: collection, messages) }
    }
    if foundNothing { try warnOfTypeName(in: collection, messages) }
  }
}
