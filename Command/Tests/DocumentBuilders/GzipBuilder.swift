import CArchive

/// Compresses files with gzip.
public enum GzipBuilder {
  public static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let archive = archive_write_new() else { throw ArchiveBuilder.Failure() }
    defer { archive_write_free(archive) }
    archive_write_set_format_raw(archive)
    archive_write_add_filter_gzip(archive)
    archive_write_set_bytes_per_block(archive, 0)
    var output = [UInt8](repeating: 0, count: bytes.count + 1 << 20)
    var used = 0
    try output.withUnsafeMutableBytes { output in
      guard archive_write_open_memory(archive, output.baseAddress, output.count, &used) == ARCHIVE_OK,
        let entry = archive_entry_new()
      else { throw ArchiveBuilder.Failure() }
      defer { archive_entry_free(entry) }
      archive_entry_set_pathname(entry, "data")
      archive_entry_set_filetype(entry, 0o100000)
      guard archive_write_header(archive, entry) == ARCHIVE_OK,
        bytes.withUnsafeBytes({ archive_write_data(archive, $0.baseAddress, $0.count) }) == bytes.count,
        archive_write_close(archive) == ARCHIVE_OK
      else { throw ArchiveBuilder.Failure() }
    }
    return Array(output[..<used])
  }
}
