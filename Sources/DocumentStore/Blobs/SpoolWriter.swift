/// Takes the content of a blob piece by piece, as it arrives, into a temporary file without a name.
///
/// ```swift
/// let writer = try SpoolWriter(in: folder)
/// for piece in pieces { try writer.append(piece) }
/// let spool = try writer.finish()
/// ```
///
/// Not `Sendable`: one thread writes.
public final class SpoolWriter {
  private let file: FileDescriptor
  private let hasher: BlobHasher

  /// How many bytes were taken.
  public var length: Int64 { hasher.length }

  /// Makes an empty file.
  ///
  /// - Parameter folder: where it is made. In the folder of the database there is room for it if there is for the blob.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/io`` or ``StoreError/Kind/diskFull``.
  public init(in folder: String) throws {
    file = try FileDescriptor(temporaryIn: folder.isEmpty ? "." : folder)
    hasher = try BlobHasher()
  }

  /// Writes the next bytes.
  public func append(_ bytes: UnsafeRawBufferPointer) throws {
    try file.write(bytes, at: hasher.length)
    try hasher.update(bytes)
  }

  /// The file with everything that was written. The writer is used up.
  public func finish() throws -> SpoolFile {
    let length = hasher.length
    return SpoolFile(file, digest: try hasher.finish(), length: length)
  }
}
