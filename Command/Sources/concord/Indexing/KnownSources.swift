import Concordance

/// The files that earlier runs have read, for telling what has changed and what is gone.
struct KnownSources {
  /// By the bytes of the path: equal strings in Swift may be two files.
  private var sources: [[UInt8]: ImportSource] = [:]
  /// Files whose reading was cut short, by a crash for instance: what they hold in the database is not what they say.
  private var interrupted: Set<[UInt8]>

  init(of collection: Collection) throws {
    let imported = try collection.importedSources()
    sources.reserveCapacity(imported.count)
    for source in imported { sources[Array(source.path.utf8)] = source }
    interrupted = try Set(collection.interruptedSourcePaths().map { Array($0.utf8) })
  }

  /// Takes a file off the list: it is there.
  ///
  /// - Returns: whether it is as it was when it was read.
  mutating func visit(_ source: ImportSource) -> Bool {
    let path = Array(source.path.utf8)
    let known = sources.removeValue(forKey: path)
    return interrupted.remove(path) == nil && known == source
  }

  /// The paths of the files that were not visited.
  var unvisited: [String] { interrupted.union(sources.keys).map { String(decoding: $0, as: UTF8.self) } }
}
