import Foundation

/// A folder for the temporary copy of a database, which only the user can read.
///
/// A process that is interrupted does not delete its folder. Each folder is therefore locked while it is in use, and
/// the next import deletes those that are not locked. The lock ends with the process.
struct CopyFolder {
  let path: String
  /// The descriptor with the lock.
  private let lock: Int32

  private static let prefix = ".concordance-"

  /// Creates a folder.
  ///
  /// - Throws: the error of `FileManager`; an error in `NSPOSIXErrorDomain` if the folder cannot be opened.
  init(in folder: String) throws {
    while true {
      let path = CopyFolder.path(CopyFolder.prefix + UUID().uuidString, in: folder)
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let code = errno
      guard lock >= 0 else {
        // Another import has deleted the folder.
        guard FileManager.default.fileExists(atPath: path) else { continue }
        // Without the lock, another import would delete the folder while it is in use.
        try? FileManager.default.removeItem(atPath: path)
        throw NSError(domain: NSPOSIXErrorDomain, code: Int(code))
      }
      // If the file system has no locks, the folder is used without one. `removeUnused` cannot lock it either and does
      // not delete it.
      while flock(lock, LOCK_EX) != 0, errno == EINTR {}
      if FileManager.default.fileExists(atPath: path) {
        self.path = path
        self.lock = lock
        return
      }
      // Another import has deleted the folder before it was locked.
      close(lock)
    }
  }

  /// Deletes the folder.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }

  /// Deletes the folders of interrupted imports.
  static func removeUnused(in folder: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names
    where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let path = CopyFolder.path(name, in: folder)
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard lock >= 0 else { continue }
      defer { close(lock) }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  private static func path(_ name: String, in folder: String) -> String {
    URL(fileURLWithPath: folder).appendingPathComponent(name).path
  }
}
