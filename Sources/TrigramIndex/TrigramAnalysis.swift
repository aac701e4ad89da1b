public import JSONText
import PatternMatching
import TextIndex

/// The trigrams of a document for one pattern index.
public struct DocumentTrigrams: Hashable, Sendable {
  /// The concatenated trigrams of all chunks, three bytes each.
  package internal(set) var bytes: [UInt8] = []
  /// The end of each chunk. No chunk is empty.
  var ends: [Int] = []

  /// The number of bytes of a trigram.
  static let trigramSize = 3

  func chunk(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }
}

/// Extracts the trigrams of documents for one index. It must be used by one thread at a time.
///
/// A long document is indexed in chunks, each treated as a document, because a large text contains nearly all trigrams
/// and would be a candidate for nearly every pattern. Chunks end at line breaks, so a match without a line break is in
/// one chunk. Trigrams that contain a line break are not indexed.
public final class TrigramAnalysis {
  private let walker: FieldWalker
  private let fieldCount: Int
  private let collector = TrigramCollector()
  private var document = DocumentTrigrams()
  /// The number of bytes of text in the current chunk.
  private var size = 0

  /// The target size of a chunk in bytes; a chunk that contains a longer line is larger.
  static let chunkSize = 1 << 16

  /// Creates an analysis for an index.
  public init(_ index: StoredPatternIndex) {
    walker = FieldWalker(
      index.definition.fields, excluding: index.definition.excludedFromOtherStrings, tracksPaths: false)
    fieldCount = index.definition.fields.count
  }

  /// Returns the trigrams of a parsed document.
  public func analyze(_ root: JSONElement) throws -> DocumentTrigrams {
    document = DocumentTrigrams()
    for field in 0..<fieldCount {
      try walker.forEachText(of: field, in: root) { text, _ in add(text) }
    }
    endChunk()
    return document
  }

  private func add(_ text: UnsafeRawBufferPointer) {
    var rest = text
    while size + rest.count > TrigramAnalysis.chunkSize {
      guard let cut = TrigramAnalysis.cut(in: rest, at: TrigramAnalysis.chunkSize - size) else {
        // If the chunk contains earlier texts, this one starts a new chunk.
        if size == 0 { break }
        endChunk()
        continue
      }
      collector.add(UnsafeRawBufferPointer(rebasing: rest[..<cut]))
      size += cut
      endChunk()
      rest = UnsafeRawBufferPointer(rebasing: rest[cut...])
    }
    collector.add(rest)
    size += rest.count
  }

  /// Returns the offset at which to divide a text: after the last line break before `offset` or, in a long line, after
  /// the next one; nil if the text is not divided.
  private static func cut(in text: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let offset = min(max(offset, 0), text.count)
    if let last = text[..<offset].lastIndex(of: 0x0A) { return last + 1 }
    guard offset >= chunkSize, let next = text[offset...].firstIndex(of: 0x0A) else { return nil }
    return next + 1 < text.count ? next + 1 : nil
  }

  private func endChunk() {
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
