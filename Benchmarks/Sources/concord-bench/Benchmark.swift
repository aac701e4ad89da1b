import Foundation

/// Measures the public library on a file of JSONL documents. Each task runs in a separate process, so that its memory
/// can be measured. bench.py runs the same tasks with Python's sqlite3 on the same file and prints the table.
///
///     concord-bench save PIECES N DB           documents per second, batches of 1,000, no index
///     concord-bench saveindexed PIECES N DB    the same with a full-text index
///     concord-bench read DB N                  documents per second by id, random order
///     concord-bench enumerate DB               documents per second, one property of each; peak memory
///     concord-bench index PIECES N DB          seconds to read, store and index documents
///     concord-bench indexloaded PIECES N DB    seconds to store and index documents that are in memory
///     concord-bench add DB PIECES N            seconds to add documents to an indexed database
///     concord-bench soak DB PIECES SECONDS QUERY…   percentiles of saves and of searches at the same time
///     concord-bench search DB QUERY…           median milliseconds, hits, the best ids
///     concord-bench box DB QUERY               median milliseconds of a search as the server runs it
///     concord-bench rank DB QUERY…             ranked searches and FTS5's ORDER BY rank, results compared
///     concord-bench first DB QUERY…            milliseconds to open, and of the first and later searches
///     concord-bench repeat DB QUERY TIMES [SNIPPETS]   microseconds of processor time of a search; no snippets by default
///     concord-bench property PIECES PATH       microseconds per document to read a property, and json_extract
///     concord-bench query N FOLDER             queries, compared with json_extract and a plain column
///     concord-bench views N FOLDER             views, compared with an indexed table
///     concord-bench run DB SQL++ TIMES         median milliseconds of a query, and its rows
///     concord-bench grep DB PATTERN            median milliseconds of the lines of a pattern, and of a document query
///     concord-bench patterns DB                seconds to rebuild the pattern index, and its size
///     concord-bench fulltext DB                seconds to rebuild the full-text index
///     concord-bench blob MEBIBYTES DB          seconds and peak memory to save and to read a blob
@main
struct Benchmark {
  private var arguments = CommandLine.arguments.dropFirst()

  static func main() {
    var benchmark = Benchmark()
    do {
      try benchmark.run()
    } catch {
      benchmark.fail("\(error)")
    }
  }

  private mutating func run() throws {
    switch next("the task") {
    case let task where task == "save" || task == "saveindexed":
      try measureSaving(
        pieces: next("a file"), count: number("a count"), path: next("a database"), isIndexed: task == "saveindexed")
    case "read": try measureReading(path: next("a database"), count: number("a count"))
    case "enumerate": try measureEnumerating(path: next("a database"))
    case let task where task == "index" || task == "indexloaded":
      try measureIndexing(
        pieces: next("a file"), count: number("a count"), path: next("a database"), isLoaded: task == "indexloaded")
    case "add": try measureAdding(path: next("a database"), pieces: next("a file"), count: number("a count"))
    case "soak":
      try measureSavesAndSearches(
        path: next("a database"), pieces: next("a file"), duration: number("a duration in seconds"),
        queries: Array(arguments))
    case "search": try measureSearching(path: next("a database"), queries: Array(arguments))
    case "box": try measureSearchBox(path: next("a database"), query: next("a query"))
    case "rank": try measureRanking(path: next("a database"), queries: Array(arguments))
    case "first": try measureFirstSearches(path: next("a database"), queries: Array(arguments))
    case "repeat":
      try measureRepetition(
        path: next("a database"), query: next("a query"), times: number("a number"),
        snippetCount: arguments.isEmpty ? 0 : number("a number of snippets"))
    case "property": try measureProperty(pieces: next("a file"), path: next("a path"))
    case "query": try measureQueries(count: number("a count"), folder: next("a folder"))
    case "views": try measureViews(count: number("a count"), folder: next("a folder"))
    case "run": try measureQuery(path: next("a database"), text: next("a query"), times: number("a number"))
    case "grep": try measureGrep(path: next("a database"), pattern: next("a pattern"))
    case "patterns": try measurePatternIndexing(path: next("a database"))
    case "fulltext": try measureFullTextIndexing(path: next("a database"))
    case "blob": try measureBlob(mebibytes: number("a size"), path: next("a database"))
    case let task: fail("there is no task \(task)")
    }
  }

  private mutating func next(_ what: String) -> String {
    guard let value = arguments.popFirst() else { fail("\(what) is missing") }
    return value
  }

  private mutating func number(_ what: String) -> Int {
    guard let value = Int(next(what)) else { fail("\(what) is a whole number") }
    return value
  }

  private func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("concord-bench: \(message)\n".utf8))
    exit(2)
  }
}
