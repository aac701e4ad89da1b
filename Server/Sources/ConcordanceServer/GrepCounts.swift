import Concordance

/// The counts of a grep request.
struct GrepCounts {
  var seconds = 0.0
  var documentCount = 0
  var byteCount = 0
  var foundCount = 0
  var lineCount = 0
  var matchCount = 0
  var missingServers: [MissingServer] = []

  mutating func add(_ found: GrepMessages.Found) {
    if found.isFailure { return }
    foundCount += 1
    lineCount += found.lineCount
    matchCount += found.matchCount
  }
}
