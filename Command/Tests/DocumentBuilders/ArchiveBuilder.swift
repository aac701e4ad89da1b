import CArchive
import Foundation

/// Creates archives in memory with libarchive.
public enum ArchiveBuilder {
  /// The kinds of archives and compressed files.
  public enum Kind: String, CaseIterable, Sendable {
    case zip, tar, tgz = "tar.gz", txz = "tar.xz", tzst = "tar.zst", tbz = "tar.bz2", sevenZip = "7z", cpio
  }

  /// The library cannot create the archive.
  public struct Failure: Error {}

  /// libarchive converts names from the locale's character set.
  private static let locale: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

  /// Returns an archive with these members in order.
  ///
  /// - Parameter links: hard links to the members, which follow them in a tar archive.
  public static func archive(
    _ kind: Kind, _ members: [(name: String, content: [UInt8])], links: [(name: String, target: String)] = []
  ) throws -> [UInt8] {
    _ = locale
    guard let archive = archive_write_new() else { throw Failure() }
    defer { archive_write_free(archive) }
    switch kind {
    case .zip: archive_write_set_format_zip(archive)
    case .sevenZip: archive_write_set_format_7zip(archive)
    case .cpio: archive_write_set_format_cpio(archive)
    case .tar, .tgz, .txz, .tzst, .tbz: archive_write_set_format_pax_restricted(archive)
    }
    switch kind {
    case .tgz: archive_write_add_filter_gzip(archive)
    case .txz: archive_write_add_filter_xz(archive)
    case .tzst: archive_write_add_filter_zstd(archive)
    case .tbz: archive_write_add_filter_bzip2(archive)
    case .zip, .tar, .sevenZip, .cpio: break
    }
    archive_write_set_bytes_per_block(archive, 0)
    var output = [UInt8](repeating: 0, count: 1 << 20 + members.reduce(0) { $0 + $1.content.count + 4096 })
    var used = 0
    try output.withUnsafeMutableBytes { output in
      guard archive_write_open_memory(archive, output.baseAddress, output.count, &used) == ARCHIVE_OK else {
        throw Failure()
      }
      for (name, content) in members {
        guard let entry = archive_entry_new() else { throw Failure() }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, name)
        archive_entry_set_size(entry, Int64(content.count))
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw Failure() }
        let written = content.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        guard written == content.count else { throw Failure() }
      }
      for (name, target) in links {
        guard let entry = archive_entry_new() else { throw Failure() }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, name)
        archive_entry_set_hardlink_utf8(entry, target)
        archive_entry_set_size(entry, 0)
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw Failure() }
      }
      guard archive_write_close(archive) == ARCHIVE_OK else { throw Failure() }
    }
    return Array(output[..<used])
  }

  /// Returns an archive with members of text.
  public static func archive(_ kind: Kind, texts: [(name: String, text: String)]) throws -> [UInt8] {
    try archive(kind, texts.map { ($0.name, Array($0.text.utf8)) })
  }
}
