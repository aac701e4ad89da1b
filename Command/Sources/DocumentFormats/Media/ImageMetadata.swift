import Foundation

/// The functions of exiv2's C interface (Debian: libgexiv2-2), which read the Exif, IPTC and XMP metadata of pictures.
struct ImageMetadata: Sendable {
  private let create: @convention(c) () -> OpaquePointer?
  private let open:
    @convention(c) (OpaquePointer, UnsafePointer<UInt8>?, CLong, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  private let lists: [@convention(c) (OpaquePointer) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?]
  private let value: @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?
  private let release: @convention(c) (OpaquePointer) -> Void
  private let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let freeList: @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Void
  private let freeError: @convention(c) (OpaquePointer) -> Void
  let version: String

  /// The library; nil if it is not installed.
  static let shared = ImageMetadata()

  private init?() {
    guard let library = DynamicLibrary("libgexiv2.so.2") else { return nil }
    typealias List = @convention(c) (OpaquePointer) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    guard
      let initialize = library.function("gexiv2_initialize", as: (@convention(c) () -> Int32).self),
      let create = library.function("gexiv2_metadata_new", as: (@convention(c) () -> OpaquePointer?).self),
      let open = library.function(
        "gexiv2_metadata_open_buf",
        as: (@convention(c) (OpaquePointer, UnsafePointer<UInt8>?, CLong, UnsafeMutablePointer<OpaquePointer?>?) ->
          Int32)
          .self),
      let exif = library.function("gexiv2_metadata_get_exif_tags", as: List.self),
      let iptc = library.function("gexiv2_metadata_get_iptc_tags", as: List.self),
      let xmp = library.function("gexiv2_metadata_get_xmp_tags", as: List.self),
      let value = library.function(
        "gexiv2_metadata_get_tag_interpreted_string",
        as: (@convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?).self),
      let release = library.function("g_object_unref", as: (@convention(c) (OpaquePointer) -> Void).self),
      let free = library.function("g_free", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self),
      let freeList = library.function(
        "g_strfreev", as: (@convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Void).self),
      let freeError = library.function("g_error_free", as: (@convention(c) (OpaquePointer) -> Void).self),
      let version = library.function("gexiv2_get_version", as: (@convention(c) () -> Int32).self),
      initialize() != 0
    else { return nil }
    (self.create, self.open, lists, self.value) = (create, open, [exif, iptc, xmp], value)
    (self.release, self.free, self.freeList, self.freeError) = (release, free, freeList, freeError)
    // Version 0.14.0 is represented as 1400.
    let number = version()
    self.version = "\(number / 10000).\(number / 100 % 100).\(number % 100)"
  }

  /// Returns the tags of a picture, such as `Exif.Image.Make`, with their values as text; nil if it is damaged.
  func tags(of picture: [UInt8]) -> [(name: String, value: String)]? {
    guard let object = create() else { return nil }
    defer { release(object) }
    var error: OpaquePointer?
    guard open(object, picture, picture.count, &error) != 0 else {
      if let error { freeError(error) }
      return nil
    }
    var result: [(name: String, value: String)] = []
    for list in lists {
      guard let names = list(object) else { continue }
      defer { freeList(names) }
      var index = 0
      while let name = names[index], result.count < ImageMetadata.maximumTagCount {
        index += 1
        guard let text = value(object, name) else { continue }
        defer { free(text) }
        result.append((String(cString: name), String(cString: text)))
      }
    }
    return result
  }

  private static let maximumTagCount = 10_000
}
