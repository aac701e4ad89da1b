import Foundation

/// The functions of TagLib's C interface (Debian: libtagc0), which read the tags of audio files.
struct AudioMetadata: Sendable {
  private typealias GetText = @convention(c) (OpaquePointer) -> UnsafeMutablePointer<CChar>?
  private typealias GetNumber = @convention(c) (OpaquePointer) -> UInt32

  private let open: @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
  private let isValid: @convention(c) (OpaquePointer) -> Int32
  private let tag: @convention(c) (OpaquePointer) -> OpaquePointer?
  private let texts: [(name: String, get: @convention(c) (OpaquePointer) -> UnsafeMutablePointer<CChar>?)]
  private let numbers: [(name: String, get: @convention(c) (OpaquePointer) -> UInt32)]
  private let free: @convention(c) (OpaquePointer) -> Void
  private let freeText: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The name of the library's file, such as `libtag.so.1.19.0`: the C interface does not report a version.
  let version: String

  /// The library; nil if it is not installed.
  static let shared = AudioMetadata()

  private init?() {
    guard let library = DynamicLibrary("libtag_c.so.0"),
      let open = library.function(
        "taglib_file_new", as: (@convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?).self),
      let isValid = library.function("taglib_file_is_valid", as: (@convention(c) (OpaquePointer) -> Int32).self),
      let tag = library.function("taglib_file_tag", as: (@convention(c) (OpaquePointer) -> OpaquePointer?).self),
      let free = library.function("taglib_file_free", as: (@convention(c) (OpaquePointer) -> Void).self),
      let freeText = library.function("taglib_free", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
    else { return nil }
    texts = ["title", "artist", "album", "comment", "genre"].compactMap { name in
      library.function("taglib_tag_\(name)", as: GetText.self).map { (name, $0) }
    }
    numbers = ["year", "track"].compactMap { name in
      library.function("taglib_tag_\(name)", as: GetNumber.self).map { (name, $0) }
    }
    version = DynamicLibrary.loadedFileName(prefix: "libtag.so.") ?? "libtag_c.so.0"
    (self.open, self.isValid, self.tag, self.free, self.freeText) = (open, isValid, tag, free, freeText)
  }

  /// Returns the tags of a file that have a value: `title`, `artist`, `album`, `comment`, `genre`, `year`, `track`; nil
  /// if it is damaged.
  func tags(ofFile path: String) -> [(name: String, value: String)]? {
    guard let file = open(path) else { return nil }
    defer { free(file) }
    guard isValid(file) != 0, let tag = tag(file) else { return nil }
    var result: [(name: String, value: String)] = []
    for (name, get) in texts {
      guard let text = get(tag) else { continue }
      defer { freeText(text) }
      let value = String(cString: text)
      if !value.isEmpty { result.append((name, value)) }
    }
    for (name, get) in numbers where get(tag) > 0 { result.append((name, String(get(tag)))) }
    return result
  }
}
