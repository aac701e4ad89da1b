import Foundation

/// The functions of poppler's C interface (poppler-glib), which is loaded when the first PDF is read. Without poppler,
/// a program still runs and reports PDF files as unsupported.
struct Poppler: Sendable {
  typealias Object = OpaquePointer

  let open:
    @convention(c) (UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UnsafeMutablePointer<Object?>?) -> Object?
  let pageCount: @convention(c) (Object) -> Int32
  let page: @convention(c) (Object, Int32) -> Object?
  let text: @convention(c) (Object) -> UnsafeMutablePointer<CChar>?
  let title: @convention(c) (Object) -> UnsafeMutablePointer<CChar>?
  let author: @convention(c) (Object) -> UnsafeMutablePointer<CChar>?
  let creationDate: @convention(c) (Object) -> time_t
  let release: @convention(c) (Object) -> Void
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let freeError: @convention(c) (Object) -> Void
  let errorDomain: @convention(c) () -> UInt32
  let version: String

  /// The library; nil if it is not installed.
  static let shared = Poppler()

  private init?() {
    guard let library = DynamicLibrary("libpoppler-glib.so.8") else { return nil }
    typealias GetText = @convention(c) (Object) -> UnsafeMutablePointer<CChar>?
    guard
      let open = library.function(
        "poppler_document_new_from_data",
        as: (@convention(c) (UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UnsafeMutablePointer<Object?>?) ->
          Object?)
          .self),
      let pageCount = library.function("poppler_document_get_n_pages", as: (@convention(c) (Object) -> Int32).self),
      let page = library.function("poppler_document_get_page", as: (@convention(c) (Object, Int32) -> Object?).self),
      let text = library.function("poppler_page_get_text", as: GetText.self),
      let title = library.function("poppler_document_get_title", as: GetText.self),
      let author = library.function("poppler_document_get_author", as: GetText.self),
      let creationDate = library.function(
        "poppler_document_get_creation_date", as: (@convention(c) (Object) -> time_t).self),
      let release = library.function("g_object_unref", as: (@convention(c) (Object) -> Void).self),
      let free = library.function("g_free", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self),
      let freeError = library.function("g_error_free", as: (@convention(c) (Object) -> Void).self),
      let errorDomain = library.function("poppler_error_quark", as: (@convention(c) () -> UInt32).self),
      let version = library.function("poppler_get_version", as: (@convention(c) () -> UnsafePointer<CChar>?).self)
    else { return nil }
    (self.open, self.pageCount, self.page, self.text) = (open, pageCount, page, text)
    (self.title, self.author, self.creationDate) = (title, author, creationDate)
    (self.release, self.free, self.freeError, self.errorDomain) = (release, free, freeError, errorDomain)
    self.version = version().map { String(cString: $0) } ?? "unknown"
  }

  /// Copies a string that the caller owns, and frees it.
  func take(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8] {
    guard let text else { return [] }
    defer { free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
