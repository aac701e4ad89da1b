public import JSONText
import PatternMatching
import TextIndex

/// The trigrams of a document for one pattern index.
public struct DocumentTrigrams: Hashable, Sendable {
  /// The concatenated trigrams of all chunks, three bytes each.
  fileprivate(set) var bytes: [UInt8] = []
  /// The end of each chunk. No chunk is empty.
  fileprivate(set) var ends: [Int] = []

  func part(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }
}

/// Gathers the trigrams of documents for one index. It belongs to one thread at a time.
///
/// A long document is indexed in chunks, as if each were a document. A large text contains nearly all
/// trigrams and would be a candidate for nearly every pattern. Chunks end at line breaks, so a match without a
/// line break is in one chunk. Trigrams that contain a line break are not indexed.
public final class TrigramAnalysis {
  private let walker: FieldWalker
  private let fieldCount: Int
  private let collector = TrigramCollector()
  private var document = DocumentTrigrams()
  /// Bytes of text in the current chunk.
  private var size = 0

  /// The target size of a chunk in bytes; a long line makes a chunk larger.
  static let partSize = 1 << 16

  /// Analyses for an index.
  public init(_ index: StoredPatternIndex) {
    walker = FieldWalker(
      index.definition.fields, excluding: index.definition.excludedFromOtherStrings, tracksPaths: false)
    fieldCount = index.definition.fields.count
  }

  /// The trigrams of a parsed document.
  public func analyze(_ root: JSONElement) throws -> DocumentTrigrams {
    document = DocumentTrigrams()
    for field in 0..<fieldCount {
      try walker.forEachText(of: field, in: root) { text, _ in add(text) }
    }
    endPart()
    return document
  }

  private func add(_ text: UnsafeRawBufferPointer) {
    var rest = text
    while size + rest.count > TrigramAnalysis.partSize {
      guard let cut = TrigramAnalysis.cut(in: rest, at: TrigramAnalysis.partSize - size) else {
        // A short text may still follow others in the chunk.
        if size == 0 { break }
        endPart()
        continue
      }
      collector.add(UnsafeRawBufferPointer(rebasing: rest[..<cut]))
      size += cut
      endPart()
      rest = UnsafeRawBufferPointer(rebasing: rest[cut...])
    }
    collector.add(rest)
    size += rest.count
  }

  /// The offset at which to divide a text: after the last line break before `offset`, or, in a long line, after the next one.
  private static func cut(in text: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let offset = min(max(offset, 0), text.count)
    if let last = text[..<offset].lastIndex(of: 0x0A) { return last + 1 }
    guard offset >= partSize, let next = text[offset...].firstIndex(of: 0x0A) else { return nil }
    return next + 1 < text.count ? next + 1 : nil
  }

  private func endPart() {
    size = 0
    defer { collector.removeAll() }
    collector.withTrigrams { trigrams in
      guard !trigrams.isEmpty else { return }
      var offset = document.bytes.count
      document.bytes.append(contentsOf: repeatElement(0, count: 3 * trigrams.count))
      document.bytes.withUnsafeMutableBufferPointer { bytes in
        for trigram in trigrams {
          bytes[offset] = UInt8(truncatingIfNeeded: trigram.rawValue >> 16)
          bytes[offset + 1] = UInt8(truncatingIfNeeded: trigram.rawValue >> 8)
          bytes[offset + 2] = UInt8(truncatingIfNeeded: trigram.rawValue)
          offset += 3
        }
      }
      document.ends.append(document.bytes.count)
    }
  }
}

@available(*, unavailable)
extension TrigramAnalysis: Sendable {}
