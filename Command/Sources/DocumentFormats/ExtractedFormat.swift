/// The formats that are extracted. File name extensions determine them.
public enum ExtractedFormat: String, Sendable, CaseIterable {
  case pdf, docx, xlsx, pptx, odt, ods, odp, epub, rtf, archive
  /// A SQLite database: its schema and text. Optional.
  case sqlite
  /// The metadata of a picture. Optional.
  case image
  /// The tags of an audio file. Optional.
  case audio

  /// The formats that are only read if the user selects them, because few users search for their content.
  public static let optional: [ExtractedFormat] = [.sqlite, .image, .audio]

  /// Whether the format is only read if the user selects it.
  public var isOptional: Bool { ExtractedFormat.optional.contains(self) }

  /// The file name extensions of this format, in lower case.
  public var extensions: [String] {
    switch self {
    case .docx: ["docx", "docm", "dotx"]
    case .xlsx: ["xlsx", "xlsm"]
    case .pptx: ["pptx", "pptm", "ppsx"]
    case .odt: ["odt", "ott"]
    case .ods: ["ods", "ots"]
    case .odp: ["odp", "otp"]
    case .archive:
      [
        "zip", "jar", "war", "whl", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", "7z", "deb", "udeb", "cpio", "rar",
      ]
    case .sqlite: ["sqlite", "sqlite3", "db", "db3"]
    case .image: ["jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "dng", "cr2", "nef", "orf", "arw", "psd", "jp2"]
    case .audio: ["mp3", "flac", "ogg", "oga", "opus", "m4a", "m4b", "wma", "wav", "aiff", "ape", "mpc", "wv"]
    case .pdf, .epub, .rtf: [rawValue]
    }
  }

  /// The names of the libraries that read the format, separated by commas; nil if this module reads it itself.
  public var library: String? {
    switch self {
    case .pdf: "poppler"
    case .docx, .xlsx, .pptx, .odt, .ods, .odp: "libarchive, libxml2"
    case .epub, .archive: "libarchive"
    case .sqlite: "sqlite"
    case .image: "gexiv2"
    case .audio: "taglib"
    case .rtf: nil
    }
  }

  /// Determines the format from a name without the extension of a compressed file; nil if the format is not extracted.
  ///
  /// ```swift
  /// ExtractedFormat(name: "Report.PDF")   // .pdf
  /// ExtractedFormat(name: "notes.txt")    // nil
  /// ```
  public init?(name: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex else { return nil }
    let ending = name[name.utf8.index(after: dot)...]
    guard ending.utf8.count <= 7, let format = ExtractedFormat.byExtension[ending.lowercased()] else { return nil }
    self = format
  }

  private static let byExtension = Dictionary(
    allCases.flatMap { format in format.extensions.map { ($0, format) } }, uniquingKeysWith: { first, _ in first })
}
