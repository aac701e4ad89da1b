import Concordance

/// The files that earlier runs have read, for telling what has changed and what is gone.
struct KnownSources {
  private var sources: [String: ImportSource] = [:]
  /// Files whose reading was cut short, by a crash for instance: what they hold in the database is not what they say.
  private var interrupted: Set<String>

  init(of collection: Collection) throws {
    let imported = try collection.importedSources()
    sources.reserveCapacity(imported.count)
    for source in imported { sources[source.path] = source }
    interrupted = try Set(collection.interruptedSourcePaths())
  }

  /// Takes a file off the list: it is there.
  ///
  /// - Returns: whether it is as it was when it was read.
  mutating func visit(_ source: ImportSource) -> Bool {
    let known = sources.removeValue(forKey: source.path)
    return interrupted.remove(source.path) == nil && known == source
  }

  /// The paths of the files that were not visited.
  var unvisited: Set<String> { interrupted.union(sources.keys) }
}
