import CorpusReader
import Foundation

/// Watches folders with inotify(7), and collects the folders whose files have changed.
///
/// The kernel's queue and ``changes`` are bounded: if either overflows, ``Changes/isComplete`` is false and the caller
/// walks all folders again. Not thread-safe.
final class FolderWatch {
  /// The changes since they were last taken.
  struct Changes {
    /// The folders to read again.
    var scope = WalkScope()
    /// Whether the scope contains every change.
    var isComplete = true

    var isEmpty: Bool { scope.isEmpty && isComplete }
  }

  private let descriptor: Int32
  private var folders = WatchedFolders()
  private var changes = Changes()
  private let roots: [String]
  private let ignoredFiles: Set<String>
  /// The number of folders that could not be watched.
  private(set) var unwatchedCount = 0
  /// The error of the first of them.
  private(set) var unwatchedReason: Int32 = 0

  /// The maximum number of changed folders; more are read by walking all folders.
  private static let maximumCount = 10_000

  /// Creates a watch without folders.
  ///
  /// - Parameters:
  ///   - roots: the absolute paths of the watched files and folders. Changes elsewhere are ignored.
  ///   - ignoredFiles: absolute paths whose changes are ignored, such as those of the database.
  /// - Throws: ``CommandFailure`` if the kernel's limit of inotify instances is reached.
  init(roots: [String], ignoring ignoredFiles: Set<String>) throws {
    self.roots = roots
    self.ignoredFiles = ignoredFiles
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else {
      let limit = errno == EMFILE ? FolderWatch.advice("max_user_instances") : String(cString: strerror(errno))
      throw CommandFailure("the folders cannot be watched: \(limit)")
    }
  }

  deinit { close(descriptor) }

  /// Watches a folder, but not the folders in it. Watching it again has no effect.
  func add(_ folder: String) {
    let path = folder.isEmpty ? "/" : folder
    // Without IN_MODIFY: a file is read when its writer closes it, rather than while it is being written.
    let events = [
      IN_CREATE, IN_DELETE, IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF,
      IN_ONLYDIR,
    ]
    let watch = inotify_add_watch(descriptor, path, events.reduce(0) { $0 | UInt32(truncatingIfNeeded: $1) })
    guard watch >= 0 else {
      // A folder that was deleted or cannot be read is not a limit of the kernel.
      if errno == ENOSPC || errno == ENOMEM {
        unwatchedCount += 1
        unwatchedReason = errno
      }
      return
    }
    folders.insert(folder, watch: watch)
  }

  /// Resets the number of folders that could not be watched, before all folders are added again.
  func resetUnwatched() { unwatchedCount = 0 }

  /// Waits for a change, and then until no more changes occur for a short time.
  ///
  /// - Parameters:
  ///   - timeout: the maximum time in milliseconds to wait for the first change; nil for no limit.
  ///   - quiet: the time without changes in milliseconds after which the call returns.
  ///   - maximum: the maximum time in milliseconds after the first change.
  /// - Returns: the changes; empty after the timeout.
  func wait(timeout: Int32?, quiet: Int32 = 100, maximum: Int = 2000) -> Changes {
    var deadline = timeout.map { SuspendingClock.now.advanced(by: .milliseconds($0)) }
    var hasChanges = false
    while true {
      var limit: Int32 = -1
      if let deadline {
        let left = max(SuspendingClock.now.duration(to: deadline) / .milliseconds(1), 0)
        limit = min(Int32(min(left.rounded(.up), 1e9)), hasChanges ? quiet : .max)
      }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&request, 1, limit)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      readEvents()
      if !hasChanges, !changes.isEmpty {
        hasChanges = true
        deadline = .now.advanced(by: .milliseconds(maximum))
      }
      // Ignored events may occur all the time.
      if let deadline, deadline <= .now { break }
    }
    defer { changes = Changes() }
    return changes
  }

  /// Returns the advice for a limit of the kernel that is reached.
  static func advice(_ limit: String) -> String {
    let path = "/proc/sys/fs/inotify/\(limit)"
    let value = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    return "the kernel's limit fs.inotify.\(limit) (\(value ?? "unknown")) is reached; raise it with sysctl"
  }
}

extension FolderWatch {
  private func readEvents() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let headerSize = MemoryLayout<inotify_event>.size
        while offset + headerSize <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let nameStart = offset + headerSize
          let name = bytes[nameStart..<min(nameStart + Int(event.len), count)].prefix { $0 != 0 }
          handle(event, name: String(decoding: name, as: UTF8.self))
          offset = nameStart + Int(event.len)
        }
      }
    }
  }

  private func handle(_ event: inotify_event, name: String) {
    func has(_ flag: some BinaryInteger) -> Bool { event.mask & UInt32(truncatingIfNeeded: flag) != 0 }
    if has(IN_Q_OVERFLOW) { return changes.isComplete = false }
    guard let folder = folders.path(ofWatch: event.wd) else { return }
    if has(IN_IGNORED) { return folders.remove(watch: event.wd) }
    if has(IN_DELETE_SELF) || has(IN_MOVE_SELF) {
      removeWatches(of: folder)
      return add(tree: folder)
    }
    guard !name.isEmpty else { return }
    let path = "\(folder)/\(name)"
    if ignoredFiles.contains(path) || !roots.contains(where: { FilePath.is(path, in: $0) }) { return }
    if has(IN_ISDIR) {
      // The watches of a moved folder follow it, so their paths are wrong from now on. The walk adds them again.
      if has(IN_MOVED_FROM) || has(IN_DELETE) { removeWatches(of: path) }
      // A change of the attributes may make a folder readable.
      return add(tree: path)
    }
    // These files decide which other files are read.
    if name == ".gitignore" || name == ".ignore" { return add(tree: folder) }
    guard changes.scope.count < FolderWatch.maximumCount else { return changes.isComplete = false }
    changes.scope.add(folder)
  }

  private func add(tree path: String) {
    guard changes.scope.count < FolderWatch.maximumCount else { return changes.isComplete = false }
    changes.scope.addTree(path)
  }

  /// Removes the watches of a folder and of those below it.
  private func removeWatches(of folder: String) {
    for watch in folders.removeTree(folder) { inotify_rm_watch(descriptor, watch) }
  }
}

@available(*, unavailable)
extension FolderWatch: Sendable {}
