import Foundation

/// Locks for the objects of documents, shared by address: a document is made in a few microseconds, of which a mutex of
/// its own would take a part that can be measured.
///
/// Nothing is called under such a lock that takes another one, so two objects that share a lock never wait for each other.
enum StripedLock {
  private static let locks = (0..<64).map { _ in NSLock() }

  /// The lock of an object: the same one as long as the object lives.
  static func of(_ object: AnyObject) -> NSLock {
    // The low bits of addresses are all alike.
    let address = UInt(bitPattern: ObjectIdentifier(object)) >> 4
    return locks[Int((address ^ (address >> 6)) & 63)]
  }
}
