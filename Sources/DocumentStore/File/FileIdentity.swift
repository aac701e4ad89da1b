import Foundation

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable {
  private let device: UInt64
  /// The number of the file in its file system.
  let inode: UInt64

  /// Returns nil if there is no file.
  init?(ofFile path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
