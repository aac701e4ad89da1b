import Foundation

/// Checkpoints the write-ahead logs of stores that are still open when the process exits normally, so that a copy of
/// the file alone is complete.
///
/// A best effort: if another process reads or writes the file, a part of the log remains until the file is opened
/// again. An exit waits at most ``limit``; interrupting a checkpoint is harmless.
enum ExitCheckpoint {
  /// The maximum time that an exit waits for all files, in seconds.
  private static let limit = 2.0

  /// An open store.
  struct Entry: Sendable {
    let location: String
    /// The path and the identity of the file when it was opened.
    let path: String
    let identity: FileIdentity?
    let report: (@Sendable (_ isComplete: Bool) -> Void)?
  }

  private struct OpenStores {
    var entries: [UInt64: Entry] = [:]
    var lastNumber: UInt64 = 0
  }

  private static let openStores = Locked(OpenStores())
  /// A forked child has the parent's list, but must not touch its files, because SQLite's locks do not belong to the
  /// child.
  private static let process = getpid()

  private static let registration: Bool = {
    _ = process
    return atexit { ExitCheckpoint.run() } == 0
  }()

  /// Registers an open store.
  ///
  /// - Parameters:
  ///   - location: a location from ``FileLocation/ofFile(_:)``.
  ///   - path: the absolute path of the file.
  ///   - identity: the identity of the file. If the path refers to another file at exit, nothing is done: SQLite would
  ///     apply the log of the old file to the new one.
  ///   - report: called at exit, on another thread, after the checkpoint of the file. `isComplete` is true if the file
  ///     contains the whole log.
  /// - Returns: A number for ``remove(_:)``.
  static func add(
    _ location: String, path: String, identity: FileIdentity?, report: (@Sendable (_ isComplete: Bool) -> Void)?
  ) -> UInt64 {
    _ = registration
    return openStores.withLock { stores in
      stores.lastNumber += 1
      stores.entries[stores.lastNumber] = Entry(location: location, path: path, identity: identity, report: report)
      return stores.lastNumber
    }
  }

  static func remove(_ number: UInt64) {
    // Released outside the lock, because releasing the closure may run application code.
    let entry = openStores.withLock { $0.entries.removeValue(forKey: number) }
    withExtendedLifetime(entry) {}
  }

  private static func run() {
    guard getpid() == process else { return }
    let stores = openStores.withLock { Array($0.entries.values) }
    guard !stores.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    // A new thread, because all threads of Dispatch may be blocked by other work of the process.
    Thread.detachNewThread {
      for (location, stores) in Dictionary(grouping: stores, by: \.location) {
        let isReplaced = stores.contains { FileIdentity(ofFile: $0.path) != $0.identity }
        let isComplete = !isReplaced && WriteAheadLog.checkpoint(location)
        for store in stores { store.report?(isComplete) }
      }
      done.signal()
    }
    _ = done.wait(timeout: .now() + limit)
  }
}
