import Foundation
import SQLiteAccess

/// A cache of objects that a function prepared from its constant arguments, such as compiled regular expressions. The
/// bytes of the arguments are the keys. It belongs to one function of one connection, which is used by one thread at a
/// time.
///
/// SQLite's auxiliary data (`sqlite3_set_auxdata`) is not used: it keeps the data of all calls in a statement in one
/// list, so a query with thousands of conditions would take quadratic time per document.
final class PreparedArguments<Prepared: AnyObject> {
  private struct Entry {
    /// The bytes of the arguments, each after its length.
    let key: [UInt8]
    let prepared: Prepared
  }

  private struct Recent {
    let address: UnsafeRawPointer?
    let entry: Entry
  }

  /// The number of entries at which the cache is emptied. Arguments that are not constant may have any number of
  /// values.
  private let maximumCount: Int
  private var entries: [Int: Entry] = [:]
  /// The entries that were used last, by the address of the first argument. A constant keeps its address during the
  /// lifetime of its statement, so most calls need no hash. The bytes are still compared, because another statement may
  /// have another constant at the same address.
  private var recent = [Recent?](repeating: nil, count: 64)

  init(maximumCount: Int = 4096) { self.maximumCount = maximumCount }

  /// Returns the cached object for these arguments, which are strings, or one that `make` creates.
  @inline(__always)
  func value(
    for arguments: SQLArguments, _ make: () throws -> Prepared
  ) rethrows -> Prepared {
    guard let first = arguments.first else { return try make() }
    let address = first.bytes.baseAddress
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: address) >> 3) & 63
    if let recent = recent[slot], recent.address == address, PreparedArguments.isEqual(recent.entry.key, arguments) {
      return recent.entry.prepared
    }
    let entry = try entry(for: arguments, make)
    recent[slot] = Recent(address: address, entry: entry)
    return entry.prepared
  }

  private func entry(
    for arguments: SQLArguments, _ make: () throws -> Prepared
  ) rethrows -> Entry {
    var hasher = Hasher()
    for argument in arguments { hasher.combine(bytes: argument.bytes) }
    let hash = hasher.finalize()
    if let known = entries[hash], PreparedArguments.isEqual(known.key, arguments) { return known }
    let entry = Entry(key: PreparedArguments.key(of: arguments), prepared: try make())
    if entries.count >= maximumCount { entries.removeAll(keepingCapacity: true) }
    // Of two entries with the same hash, the last one is kept.
    entries[hash] = entry
    return entry
  }

  private static func key(of arguments: SQLArguments) -> [UInt8] {
    var key: [UInt8] = []
    for argument in arguments {
      let bytes = argument.bytes
      withUnsafeBytes(of: bytes.count) { key.append(contentsOf: $0) }
      key.append(contentsOf: bytes)
    }
    return key
  }

  private static func isEqual(
    _ key: [UInt8], _ arguments: SQLArguments
  ) -> Bool {
    key.withUnsafeBytes { key in
      var offset = 0
      for argument in arguments {
        let bytes = argument.bytes
        let end = offset + MemoryLayout<Int>.size + bytes.count
        guard end <= key.count, key.loadUnaligned(fromByteOffset: offset, as: Int.self) == bytes.count else {
          return false
        }
        if let start = bytes.baseAddress, let known = key.baseAddress,
          memcmp(known + (end - bytes.count), start, bytes.count) != 0
        {
          return false
        }
        offset = end
      }
      return offset == key.count
    }
  }
}
