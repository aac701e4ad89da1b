import CArchive

/// Reads the members of an archive with libarchive. Nothing is written to disk.
final class ArchiveReader {
  private let archive: OpaquePointer
  private var entry: OpaquePointer?
  /// The archive in memory, which libarchive reads in place.
  private let bytes: UnsafeMutableRawBufferPointer?

  private init(isRaw: Bool, bytes: UnsafeMutableRawBufferPointer?) throws {
    guard let archive = archive_read_new() else {
      bytes?.deallocate()
      throw ExtractionFailure(.crashed, "out of memory")
    }
    self.archive = archive
    self.bytes = bytes
    // archive_read_support_filter_all() is not used because it runs external programs for some filters.
    for support in [
      archive_read_support_filter_gzip, archive_read_support_filter_bzip2, archive_read_support_filter_xz,
      archive_read_support_filter_lzma, archive_read_support_filter_zstd, archive_read_support_filter_lz4,
      archive_read_support_filter_compress,
    ] {
      _ = support(archive)
    }
    if isRaw {
      archive_read_support_format_raw(archive)
      archive_read_support_format_empty(archive)
      return
    }
    for support in [
      archive_read_support_format_zip, archive_read_support_format_tar, archive_read_support_format_7zip,
      archive_read_support_format_ar, archive_read_support_format_cpio, archive_read_support_format_rar,
      archive_read_support_format_rar5, archive_read_support_format_empty,
    ] {
      _ = support(archive)
    }
  }

  /// Opens an archive in a file that is already open and must remain open.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of the file.
  ///   - isRaw: whether the file is a compressed file, not an archive.
  convenience init(descriptor: Int32, isRaw: Bool = false) throws {
    try self.init(isRaw: isRaw, bytes: nil)
    guard archive_read_open_fd(archive, descriptor, 64 << 10) == ARCHIVE_OK else { throw fault }
  }

  /// Opens an archive in memory.
  convenience init(bytes: [UInt8], isRaw: Bool = false) throws {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    try self.init(isRaw: isRaw, bytes: copy)
    guard archive_read_open_memory(archive, copy.baseAddress, bytes.count) == ARCHIVE_OK else { throw fault }
  }

  deinit {
    archive_read_free(archive)
    bytes?.deallocate()
  }

  /// A member of an archive.
  struct Member {
    var name: String
    var isRegular: Bool
    var isEncrypted: Bool
    /// The name of the member with the content, if the archive stores this one as a link to it.
    var linkTarget: String?
  }

  /// Returns the next member; nil at the end.
  func next() throws -> Member? {
    let status = archive_read_next_header(archive, &entry)
    if status == ARCHIVE_EOF { return nil }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw fault }
    // Some archives repeat the content of a link.
    let isEmpty = archive_entry_size(entry) == 0
    let link = isEmpty ? archive_entry_hardlink_utf8(entry) ?? archive_entry_hardlink(entry) : nil
    let isZip = archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP
    return Member(
      name: MemberName.decode(entry, isZip: isZip),
      // The values of AE_IFMT and AE_IFREG, macros with casts that Swift does not import.
      isRegular: archive_entry_filetype(entry) & 0o170000 == 0o100000 || archive_entry_filetype(entry) == 0,
      isEncrypted: archive_entry_is_encrypted(entry) != 0, linkTarget: link.map { String(cString: $0) })
  }

  /// Reads the current member.
  ///
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - count: called with the number of bytes of each block.
  func read(limit: Int, count: (Int) throws -> Void) throws -> [UInt8] {
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let size = block.withUnsafeMutableBytes { archive_read_data(archive, $0.baseAddress, $0.count) }
      if size == 0 { return result }
      guard size > 0 else { throw fault }
      try count(size)
      guard result.count + size <= limit else {
        throw ExtractionFailure(.tooLarge, "the member has more than \(limit) bytes")
      }
      result.append(contentsOf: block[..<size])
    }
  }

  private var fault: ExtractionFailure {
    // Some messages of libarchive end with a line break.
    let words = archive_error_string(archive).map { String(cString: $0).split { $0.isWhitespace } } ?? []
    let reason = words.isEmpty ? "malformed archive" : words.joined(separator: " ")
    let isEncrypted = reason.lowercased().contains("encrypt") || reason.lowercased().contains("passphrase")
    return ExtractionFailure(isEncrypted ? .encrypted : .damaged, reason)
  }

  /// The version of libarchive, such as `3.6.2`.
  static var version: String {
    String(cString: archive_version_string()).split(separator: " ").last.map(String.init) ?? "unknown"
  }
}
