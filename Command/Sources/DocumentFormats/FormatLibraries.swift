/// The libraries that extract formats, with their versions.
public enum FormatLibraries {
  /// Incremented when the extractors of this module produce different parts from the same file.
  private static let version = 1

  /// A string that changes if an extractor changes. Files that were read with a different extractor are read again.
  public static let fingerprint =
    "\(version)/poppler-\(Poppler.shared?.version ?? "none")/archive-\(ArchiveReader.version)"

  /// The names and versions of the libraries; the version is nil if the library is not installed.
  public static var all: [(name: String, version: String?)] {
    [
      ("poppler", Poppler.shared?.version), ("libarchive", ArchiveReader.version), ("libxml2", XMLEvents.version),
    ]
  }
}
