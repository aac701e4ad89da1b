import Foundation
import Synchronization

/// The temporary file that is removed if a signal ends the process.
enum UnfinishedFile {
  /// The address of the path as a C string; 0 for none. A signal handler reads it.
  private static let address = Atomic<UInt>(0)

  /// Registers a file for removal.
  ///
  /// - Returns: false if another file is already registered.
  static func begin(_ path: String) -> Bool {
    guard address.load(ordering: .relaxed) == 0, let copy = strdup(path) else { return false }
    address.store(UInt(bitPattern: copy), ordering: .releasing)
    return true
  }

  /// Unregisters the file for which ``begin(_:)`` returned true.
  static func end() {
    // Nil if a signal handler has taken it and is about to end the process.
    free(UnsafeMutablePointer<CChar>(bitPattern: address.exchange(0, ordering: .acquiring)))
  }

  /// Removes the file. Only async-signal-safe functions are called, because a signal handler calls it.
  static func remove() {
    guard let path = UnsafeMutablePointer<CChar>(bitPattern: address.exchange(0, ordering: .acquiring)) else { return }
    unlink(path)
  }
}
