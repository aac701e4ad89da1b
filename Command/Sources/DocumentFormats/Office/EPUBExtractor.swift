import Foundation

/// Extracts books (EPUB 2 and 3): a part for each chapter in reading order. The chapters are XHTML files, which the
/// caller converts to text.
enum EPUBExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let container = AttributeFinder(element: "rootfile", attribute: "full-path")
    try XMLEvents.parse(try package.required("META-INF/container.xml"), container)
    guard let root = container.value else { throw ExtractionFailure(.damaged, "the book has no package file") }
    let (book, metadata) = (PackageFile(), MetadataHandler.read(root, in: package))
    try XMLEvents.parse(try package.required(root), book)
    if let encryption = package["META-INF/encryption.xml"],
      String(decoding: encryption, as: UTF8.self).contains("xhtml")
    {
      throw ExtractionFailure(.encrypted, "the book is protected by digital rights management")
    }
    let folder = OfficePackage.split(root).folder
    for (index, id) in book.spine.enumerated() {
      guard let target = book.items[id] else { continue }
      let path = OfficePackage.resolve(target.removingPercentEncoding ?? target, in: folder)
      guard let chapter = package[path] else { continue }
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.epub.rawValue, location: PartLocation(.chapter, index + 1),
          metadata: metadata, content: chapter, isFile: true))
    }
    try package.checkComplete()
  }
}

/// The chapters of a book, from its package file.
private final class PackageFile: XMLHandler {
  var items: [String: String] = [:]
  var spine: [String] = []

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "item", let id = attributes["id"], let target = attributes["href"] { items[id] = target }
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
