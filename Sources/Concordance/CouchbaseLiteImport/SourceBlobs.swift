import Foundation
import JSONText

/// Finds the blobs that a document refers to.
enum SourceBlobs {
  /// Returns the digests of all blobs in a document.
  static func digests(in text: [UInt8], _ parser: JSONParser) -> [String] {
    // Few documents contain blobs, and a byte search for digests is much faster than parsing.
    let mayContain = text.withUnsafeBytes { contains(mark: Array("\"sha1".utf8), before: UInt8(ascii: "-"), $0) }
    guard mayContain, let root = try? text.withUnsafeBytes({ try parser.parse($0) }) else { return [] }
    var digests: [String] = []
    collect(root, &digests)
    return digests
  }

  /// Returns whether the text contains `mark` followed by `last`. The search looks for `last`, because it is rare.
  private static func contains(mark: [UInt8], before last: UInt8, _ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    var start = 0
    while start < text.count, let found = memchr(base + start, Int32(last), text.count - start) {
      let index = UnsafeRawPointer(found) - base
      if index >= mark.count, text[(index - mark.count)..<index].elementsEqual(mark) { return true }
      start = index + 1
    }
    return false
  }

  private static func collect(_ element: JSONElement, _ digests: inout [String]) {
    switch element.kind {
    case .array: element.forEachElement { collect($0, &digests) }
    case .object:
      if element["@type"]?.string == "blob" || element["_cbltype"]?.string == "blob",
        let digest = element["digest"]?.string
      {
        digests.append(digest)
      }
      element.forEachMember { collect($1, &digests) }
    default: break
    }
  }
}
