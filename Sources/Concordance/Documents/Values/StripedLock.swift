import Foundation

/// A fixed set of locks for documents and their containers. The address of an object selects its lock.
///
/// A mutex in each object would add measurably to the few microseconds that it takes to create a document. Code that
/// runs under such a lock never takes another one, so objects that share a lock cannot deadlock.
enum StripedLock {
  private static let locks = (0..<64).map { _ in NSLock() }

  /// Returns the lock of an object, which is the same for the lifetime of the object.
  static func of(_ object: AnyObject) -> NSLock {
    // The low bits of all addresses are 0, because objects are aligned.
    let address = UInt(bitPattern: ObjectIdentifier(object)) >> 4
    return locks[Int((address ^ (address >> 6)) & 63)]
  }
}
