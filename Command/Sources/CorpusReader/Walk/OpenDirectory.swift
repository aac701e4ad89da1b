import Foundation

/// A directory that is being read. It is closed when freed, or earlier by ``close()``.
final class OpenDirectory {
  enum EntryKind { case file, directory, other }

  /// A name in the directory, at a position in ``names``.
  struct Entry {
    var start: Int
    var count: Int
    var kind: EntryKind
  }

  /// The names, each followed by a NUL byte.
  private(set) var names: [UInt8] = []
  /// The entries without `.` and `..`, in the byte order of the paths: a directory sorts as its name with a slash
  /// appended, so that a walk yields its paths in order.
  private(set) var entries: [Entry] = []
  private var handle: OpaquePointer?

  init(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    guard let handle = fdopendir(descriptor) else {
      let error = SystemError.last
      _ = Foundation.close(descriptor)
      throw error
    }
    self.handle = handle
    try readEntries(handle)
  }

  deinit { close() }

  func close() {
    if let handle { closedir(handle) }
    handle = nil
  }

  func name(_ entry: Entry) -> ArraySlice<UInt8> { names[entry.start..<(entry.start + entry.count)] }

  /// Returns the status without following symbolic links; nil if the entry has been deleted in the meantime.
  func status(_ entry: Entry) -> stat? {
    guard let handle else { return nil }
    return names.withUnsafeBytes { names in
      var status = stat()
      let name = names.baseAddress?.advanced(by: entry.start).assumingMemoryBound(to: CChar.self)
      guard let name, fstatat(dirfd(handle), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      return status
    }
  }

  private func readEntries(_ handle: OpaquePointer) throws(SystemError) {
    let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      // readdir(3) returns null both at the end and for an error; only errno distinguishes them.
      errno = 0
      guard let found = readdir(handle) else {
        if errno != 0 { throw .last }
        break
      }
      let name = UnsafeRawPointer(found) + nameOffset
      let count = strlen(name.assumingMemoryBound(to: CChar.self))
      let start = names.count
      names.append(contentsOf: UnsafeRawBufferPointer(start: name, count: count + 1))
      let entry = Entry(start: start, count: count, kind: kind(Int32(found.pointee.d_type)))
      if entry.isSelfOrParent(in: names) {
        names.removeLast(count + 1)
      } else {
        entries.append(entry)
      }
      // Some file systems do not report the type.
      if found.pointee.d_type == UInt8(DT_UNKNOWN), let last = entries.last, last.start == start {
        entries[entries.count - 1].kind = kindByStatus(last)
      }
    }
    names.withUnsafeBytes { names in
      entries.sort { Entry.isOrdered($0, $1, in: names) }
    }
  }

  private func kind(_ type: Int32) -> EntryKind {
    switch type {
    case Int32(DT_REG): .file
    case Int32(DT_DIR): .directory
    default: .other
    }
  }

  private func kindByStatus(_ entry: Entry) -> EntryKind {
    guard let status = status(entry) else { return .other }
    return status.isRegular ? .file : status.isDirectory ? .directory : .other
  }
}

extension OpenDirectory.Entry {
  fileprivate func isSelfOrParent(in names: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    return names[start] == dot && (count == 1 || (count == 2 && names[start + 1] == dot))
  }

  fileprivate static func isOrdered(_ a: Self, _ b: Self, in names: UnsafeRawBufferPointer) -> Bool {
    guard let base = names.baseAddress else { return false }
    let common = min(a.count, b.count)
    let order = memcmp(base + a.start, base + b.start, common)
    if order != 0 { return order < 0 }
    return a.byte(common, in: names) < b.byte(common, in: names)
  }

  /// Returns a byte of the sort key; that of a directory ends with a slash.
  private func byte(_ position: Int, in names: UnsafeRawBufferPointer) -> UInt8 {
    if position < count { return names[start + position] }
    return kind == .directory ? UInt8(ascii: "/") : 0
  }
}
