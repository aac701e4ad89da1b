/// The formats that are extracted. File name extensions determine them.
public enum ExtractedFormat: String, Sendable, CaseIterable {
  case pdf, docx, xlsx, pptx, odt, ods, odp, epub, rtf, archive

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
    case .pdf, .epub, .rtf: [rawValue]
    }
  }

  /// The names of the libraries that read the format, separated by commas; nil if this module reads it itself.
  public var library: String? {
    switch self {
    case .pdf: "poppler"
    case .docx, .xlsx, .pptx, .odt, .ods, .odp: "libarchive, libxml2"
    case .epub, .archive: "libarchive"
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
    guard ending.utf8.count <= 5, let format = ExtractedFormat.byExtension[ending.lowercased()] else { return nil }
    self = format
  }

  private static let byExtension = Dictionary(
    allCases.flatMap { format in format.extensions.map { ($0, format) } }, uniquingKeysWith: { first, _ in first })

  /// Returns the name without `.gz`, `.xz`, `.zst` or `.bz2`; nil if it is not that of a compressed file.
  static func decompressedName(_ name: String) -> String? {
    for ending in [".gz", ".xz", ".zst", ".bz2"] where name.count > ending.count && name.lowercased().hasSuffix(ending)
    {
      return String(name.dropLast(ending.count))
    }
    return nil
  }
}
