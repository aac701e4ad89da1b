import Foundation

/// Checkpoints the write-ahead logs of stores that are still open when the process exits normally, so that a copy of
/// the file alone is complete.
///
/// A best effort: if another process reads or writes the file, a part of the log stays for the next opening. An exit
/// waits at most ``limit``; interrupting a checkpoint is harmless.
enum ExitCheckpoint {
  /// The maximum time that an exit waits for all files, in seconds.
  private static let limit = 2.0

  /// The number of stores that have each file open.
  private static let openFiles = Locked<[String: Int]>([:])
  /// A forked child has the parent's list, but must not touch its files, because SQLite's locks do not belong to the
  /// child.
  private static let process = getpid()

  private static let registration: Bool = {
    _ = process
    return atexit { ExitCheckpoint.run() } == 0
  }()

  static func add(_ path: String) {
    _ = registration
    openFiles.withLock { $0[path, default: 0] += 1 }
  }

  static func remove(_ path: String) {
    openFiles.withLock { files in
      let count = files[path] ?? 0
      files[path] = count > 1 ? count - 1 : nil
    }
  }

  private static func run() {
    guard getpid() == process else { return }
    let files = openFiles.withLock { Array($0.keys) }
    guard !files.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    // A new thread, because all threads of Dispatch may be blocked by other work of the process.
    Thread.detachNewThread {
      for path in files { WriteAheadLog.checkpoint(path) }
      done.signal()
    }
    _ = done.wait(timeout: .now() + limit)
  }
}
