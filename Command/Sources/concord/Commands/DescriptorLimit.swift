import Foundation

/// The limit on open files of this process. Debian's default, 1,024, is too low for the default number of connections.
enum DescriptorLimit {
  /// The number of descriptors per database: for its readers, its row streams (two each) and its events.
  private static let countPerDatabase = 250
  /// The number of other descriptors: for libraries, event loops, standard streams and extractors.
  private static let otherCount = 100

  /// Raises the limit to what the server needs, up to the limit that the system permits.
  ///
  /// - Throws: `CommandFailure` if the system does not permit enough open files for the connections.
  static func raise(connections: Int, databases: Int) throws {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let other = databases * countPerDatabase + otherCount
    let needed = rlim_t(clamping: connections) + rlim_t(clamping: other)
    guard limit.rlim_cur < needed else { return }
    guard limit.rlim_max >= needed else {
      let possible = max(1, Int(clamping: limit.rlim_max) - other)
      throw CommandFailure(
        "\(connections) connections need \(needed) open files, and the system permits \(limit.rlim_max): "
          + "give --max-connections \(possible), or raise the limit with `ulimit -n`")
    }
    limit.rlim_cur = needed
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
