/// Writes the content of a blob, piece by piece as it arrives, to an unnamed temporary file.
///
/// ```swift
/// let writer = try SpoolWriter(in: folder)
/// for piece in pieces { try writer.append(piece) }
/// let spool = try writer.finish()
/// ```
///
/// Not `Sendable`: only one thread may write.
public final class SpoolWriter {
  private let file: FileDescriptor
  private let hasher: BlobHasher

  /// The number of bytes written.
  public var length: Int64 { hasher.length }

  /// Creates an empty file.
  ///
  /// - Parameter folder: the folder of the temporary file. Pass the folder of the database: the blob can only be stored
  ///   if that file system has enough space for it.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/io`` or ``StoreErrorKind/diskFull``.
  public init(in folder: String) throws {
    file = try FileDescriptor(temporaryIn: folder.isEmpty ? "." : folder)
    hasher = try BlobHasher()
  }

  /// Writes the next bytes.
  public func append(_ bytes: UnsafeRawBufferPointer) throws {
    try file.write(bytes, at: hasher.length)
    try hasher.update(bytes)
  }

  /// Returns the complete file. The writer must not be used afterwards.
  public func finish() throws -> SpoolFile {
    let length = hasher.length
    return SpoolFile(file, digest: try hasher.finish(), length: length)
  }
}
