import Foundation
import SQLiteAccess

/// The empty file of a store whose rows are in another database, in a temporary folder of its own.
///
/// The process holds a lock on the folder as long as the file is in use. A process that is killed leaves its folder,
/// which the next process that creates such a file finds without a lock and deletes.
struct FrontFile: Sendable {
  private static let prefix = "concordance-front-"

  /// The absolute path of the file.
  let path: String
  private let folder: String
  /// The descriptor of the folder, which holds the lock.
  private let lock: Int32

  /// Creates the folder, in which SQLite creates the file.
  ///
  /// - Throws: ``StoreError`` if the folder for temporary files is not writable.
  init() throws {
    let parent = FileManager.default.temporaryDirectory.standardizedFileURL.path
    FrontFile.deleteUnused(in: parent)
    var template = Array("\(parent)/\(FrontFile.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(.io, "\(parent): a temporary folder cannot be created (\(String(cString: strerror(errno))))")
    }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    path = folder + "/front.concord"
    lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Another process would delete a folder without a lock.
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let error = StoreError(.io, "\(folder): the folder cannot be locked (\(String(cString: strerror(errno))))")
      if lock >= 0 { close(lock) }
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  /// Deletes the file and its folder.
  func delete() {
    try? FileManager.default.removeItem(atPath: folder)
    if lock >= 0 { close(lock) }
  }

  /// Deletes the folders of processes that have ended.
  private static func deleteUnused(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = parent + "/" + name
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      // A process locks its folder right after creating it, so a folder of the last minute may have no lock yet.
      guard fstat(descriptor, &status) == 0, time(nil) - status.st_mtim.tv_sec > 60,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: folder)
    }
  }
}
