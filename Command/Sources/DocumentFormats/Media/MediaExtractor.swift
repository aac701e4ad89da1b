/// Extracts the metadata of pictures and audio files: a part whose text has a line `name: value` for each tag.
enum MediaExtractor {
  /// The maximum size in bytes of a value; longer ones, such as previews, are not text.
  private static let maximumValueSize = 10_000

  static func extractImage(_ bytes: [UInt8], _ extraction: Extraction) throws {
    guard let library = ImageMetadata.shared else {
      throw ExtractionFailure(
        .unsupported, "metadata of pictures requires gexiv2, which is not installed (Debian: libgexiv2-2)")
    }
    guard let tags = library.tags(of: bytes) else {
      throw ExtractionFailure(.damaged, "the metadata of the picture cannot be read")
    }
    var metadata = DocumentMetadata()
    metadata.title = first(["Xmp.dc.title", "Iptc.Application2.ObjectName", "Exif.Image.ImageDescription"], tags)
    metadata.author = first(["Xmp.dc.creator", "Iptc.Application2.Byline", "Exif.Image.Artist"], tags)
    metadata.created = first(["Exif.Photo.DateTimeOriginal", "Exif.Image.DateTime", "Xmp.xmp.CreateDate"], tags)
      .map(isoDate)
    try emit(tags, metadata, format: .image, extraction)
  }

  static func extractAudio(path: String, _ extraction: Extraction) throws {
    guard let library = AudioMetadata.shared else {
      throw ExtractionFailure(
        .unsupported, "metadata of audio files requires TagLib, which is not installed (Debian: libtagc0)")
    }
    guard let tags = library.tags(ofFile: path) else {
      throw ExtractionFailure(.damaged, "the metadata of the audio file cannot be read")
    }
    var metadata = DocumentMetadata()
    metadata.title = first(["title"], tags)
    metadata.author = first(["artist"], tags)
    metadata.created = first(["year"], tags)
    try emit(tags, metadata, format: .audio, extraction)
  }

  private static func emit(
    _ tags: [(name: String, value: String)], _ metadata: DocumentMetadata, format: ExtractedFormat,
    _ extraction: Extraction
  ) throws {
    let lines = tags.filter { !$0.value.isEmpty && $0.value.utf8.count <= maximumValueSize }
      .map { "\($0.name): \($0.value.split { $0.isNewline }.joined(separator: " "))\n" }
    try extraction.emit(
      ExtractedPart(format: format.rawValue, metadata: metadata, content: Array(lines.joined().utf8)))
  }

  /// Returns the value of the first of these tags that has one. XMP values begin with their language:
  /// `lang="x-default"`.
  private static func first(_ names: [String], _ tags: [(name: String, value: String)]) -> String? {
    for name in names {
      guard var value = tags.first(where: { $0.name == name })?.value else { continue }
      if value.hasPrefix("lang=\""), let space = value.firstIndex(of: " ") {
        value = String(value[value.index(after: space)...])
      }
      if !value.allSatisfy(\.isWhitespace), value.utf8.count <= maximumValueSize { return value }
    }
    return nil
  }

  /// Converts the date of Exif, `2024:05:01 10:11:12`, to ISO 8601.
  private static func isoDate(_ text: String) -> String {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].count == 10 else { return text }
    return parts[0].replacing(":", with: "-") + "T" + parts[1]
  }
}
