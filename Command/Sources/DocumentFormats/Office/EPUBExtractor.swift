import Foundation

/// Extracts books (EPUB 2 and 3): a part for each chapter in reading order. The chapters are XHTML files, which the
/// caller converts to text.
enum EPUBExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let container = AttributeFinder(element: "rootfile", attribute: "full-path")
    try XMLEvents.parse(try package.required("META-INF/container.xml"), container)
    guard let root = container.value else { throw ExtractionFailure(.damaged, "the book has no package file") }
    let (book, metadata) = (PackageFile(), MetadataHandler.read(root, in: package))
    let packageFile = try package.required(root)
    let fault = XMLEvents.fault { try XMLEvents.parse(packageFile, book) }
    if let fault, book.spine.isEmpty { throw fault }
    let folder = OfficePackage.split(root).folder
    let encrypted = EncryptedResources.read(in: package)
    let chapters = book.spine.compactMap { book.items[$0] }.filter(\.isText).map { $0.path(in: folder) }
    if !chapters.isEmpty, chapters.allSatisfy({ encrypted.contains($0) }) {
      throw ExtractionFailure(.encrypted, "the book is protected by digital rights management")
    }
    for (index, id) in book.spine.enumerated() {
      guard let item = book.items[id] else {
        package.report(ExtractionFailure(.damaged, "the manifest does not list the chapter"), id, of: member)
        continue
      }
      guard item.isText else { continue }
      let path = item.path(in: folder)
      guard !encrypted.contains(path) else {
        let reason = "the chapter is protected by digital rights management"
        package.report(ExtractionFailure(.encrypted, reason), path, of: member)
        continue
      }
      guard let chapter = package[path] else {
        package.report(ExtractionFailure(.damaged, "the archive does not contain the chapter"), path, of: member)
        continue
      }
      // The caller decodes other text, and would refuse the whole book.
      if chapter.prefix(1024).contains(0), !chapter.starts(with: [0xFE, 0xFF]), !chapter.starts(with: [0xFF, 0xFE]) {
        package.report(ExtractionFailure(.damaged, "the chapter is binary"), path, of: member)
        continue
      }
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.epub.rawValue, location: PartLocation(.chapter, index + 1),
          metadata: metadata, content: chapter, isFile: true))
    }
    if let fault { throw fault }
    try package.checkComplete()
  }
}

/// The chapters of a book, from its package file.
private final class PackageFile: XMLHandler {
  /// A file of the book. Pictures may be chapters (EPUB 3.3, section 3.4); they have no text.
  struct Item {
    var target: String
    var mediaType: String

    /// Returns the path of the file in the archive. Targets are relative to the folder of the package file.
    func path(in folder: String) -> String {
      let target = String(target.prefix { $0 != "#" })
      return OfficePackage.resolve(target.removingPercentEncoding ?? target, in: folder)
    }

    var isText: Bool { !["image/", "audio/", "video/", "font/"].contains { mediaType.hasPrefix($0) } }
  }

  var items: [String: Item] = [:]
  var spine: [String] = []

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "item", let id = attributes["id"], let target = attributes["href"] {
      items[id] = Item(target: target, mediaType: attributes["media-type"]?.lowercased() ?? "")
    }
    if name == "itemref", let id = attributes["idref"] { spine.append(id) }
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}

private final class AttributeFinder: XMLHandler {
  private let element: String
  private let attribute: String
  private(set) var value: String?

  init(element: String, attribute: String) {
    self.element = element
    self.attribute = attribute
  }

  func start(_ name: String, _ attributes: [String: String]) {
    if name == element, value == nil { value = attributes[attribute] }
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}
