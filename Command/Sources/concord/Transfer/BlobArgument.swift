import ArgumentParser
@_spi(Command) import Concordance
import Foundation

/// A file to attach as an argument: `photo=ghia.jpg`, `photo=ghia.bin:image/jpeg`.
struct BlobArgument: ExpressibleByArgument {
  /// The property.
  let key: String
  private let path: String
  private let type: String?

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    key = String(argument[..<equals])
    let value = String(argument[argument.index(after: equals)...])
    guard !value.isEmpty else { return nil }
    // A file name may contain a colon, and a type always contains a slash.
    if !FilePath.exists(value), let colon = value.lastIndex(of: ":"), colon > value.startIndex,
      value[colon...].contains("/")
    {
      path = String(value[..<colon])
      type = String(value[value.index(after: colon)...])
    } else {
      path = value
      type = nil
    }
  }

  /// Creates the blob, whose content is read when it is saved.
  func makeBlob() throws -> Blob {
    try Blob(contentType: type ?? ContentType.of(path), fileURL: URL(fileURLWithPath: path))
  }
}

/// Content types by file name extensions.
enum ContentType {
  /// Returns the content type of a file name.
  static func of(_ path: String) -> String {
    byExtension[FilePathComponents(path).fileExtension.lowercased()] ?? "application/octet-stream"
  }

  // The types registered at <https://www.iana.org/assignments/media-types>.
  private static let byExtension = [
    "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff",
    "webp": "image/webp",
    "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav",
    "mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm",
    "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
    "js": "text/javascript", "md": "text/markdown", "txt": "text/plain",
    "epub": "application/epub+zip", "gz": "application/gzip", "json": "application/json", "pdf": "application/pdf",
    "rtf": "application/rtf", "tar": "application/x-tar", "wasm": "application/wasm", "xml": "application/xml",
    "zip": "application/zip",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "odt": "application/vnd.oasis.opendocument.text",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "otf": "font/otf", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
  ]
}
