/// The libraries that extract formats, with their versions.
public enum FormatLibraries {
  /// Incremented when the extractors of this module produce different parts from the same file.
  private static let version = 5

  /// A string that changes if an extractor changes. Files that were read with a different extractor are read again.
  public static let fingerprint =
    "\(version)/poppler-\(Poppler.shared?.version ?? "none")/archive-\(ArchiveReader.version)"
    + "/xml-\(XMLEvents.version)"

  /// Returns the string for the extractor of a file. Libraries of optional formats are only loaded for their files.
  public static func fingerprint(forName name: String) -> String {
    switch ExtractedFormat(name: name) {
    case .image: "\(version)/gexiv2-\(ImageMetadata.shared?.version ?? "none")"
    case .audio: "\(version)/taglib-\(AudioMetadata.shared?.version ?? "none")"
    case .sqlite: "\(version)/sqlite-\(sqliteVersion ?? "none")"
    default: fingerprint
    }
  }

  private static let sqliteVersion = SQLiteExtractor.version

  /// The names and versions of the libraries; the version is nil if the library is not installed.
  public static var all: [(name: String, version: String?)] {
    [
      ("poppler", Poppler.shared?.version), ("libarchive", ArchiveReader.version), ("libxml2", XMLEvents.version),
      ("sqlite", sqliteVersion), ("gexiv2", ImageMetadata.shared?.version),
      ("taglib", AudioMetadata.shared?.version),
    ]
  }
}
