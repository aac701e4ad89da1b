import Foundation

/// A ``PropertyReader`` with the value that it found in the cached document.
final class CachedPropertyReader {
  let reader: PropertyReader
  fileprivate var generation = 0
  fileprivate var slice: JSONSlice?

  init(_ reader: PropertyReader) { self.reader = reader }
}

/// Reads properties of documents and caches the values if many properties of one document are read, since a query may
/// have thousands of conditions on one property.
///
/// SQLite does not report which row a value comes from, and it uses the same memory for many rows. So after several
/// reads of documents with the same length, the document is copied and compared with the next document that is read.
/// The comparison is an order of magnitude faster than searching for a property.
struct DocumentPropertyCache {
  /// The number of searches for a property in a document.
  private(set) var searchCount = 0
  private var length = -1
  private var count = 0
  private var generation = 0
  private var copy = Copy()

  /// The number of reads before a document is copied. Few queries read so many properties.
  static let threshold = 16

  private final class Copy {
    var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)

    deinit { bytes.deallocate() }

    func store(_ document: UnsafeRawBufferPointer) {
      if bytes.count < document.count {
        bytes.deallocate()
        bytes = .allocate(byteCount: document.count + document.count / 2, alignment: 1)
      }
      bytes.copyMemory(from: document)
    }
  }

  /// Returns the value of a property.
  ///
  /// - Returns: a view of the document or of its copy, valid until the next call.
  @inline(__always)
  mutating func value(in document: UnsafeRawBufferPointer, _ reader: CachedPropertyReader) -> JSONSlice? {
    guard document.count == length else {
      (length, count) = (document.count, 1)
      return search(document, reader)
    }
    count += 1
    guard count > DocumentPropertyCache.threshold else { return search(document, reader) }
    return known(document, reader)
  }

  private mutating func known(_ document: UnsafeRawBufferPointer, _ reader: CachedPropertyReader) -> JSONSlice? {
    if count == DocumentPropertyCache.threshold + 1 {
      copy.store(document)
      generation += 1
    } else if let start = document.baseAddress, let known = copy.bytes.baseAddress, memcmp(start, known, length) != 0 {
      count = 1
      return search(document, reader)
    }
    if reader.generation != generation {
      reader.generation = generation
      reader.slice = search(UnsafeRawBufferPointer(rebasing: copy.bytes[..<length]), reader)
    }
    return reader.slice
  }

  private mutating func search(_ document: UnsafeRawBufferPointer, _ reader: CachedPropertyReader) -> JSONSlice? {
    searchCount += 1
    return reader.reader.value(in: document)
  }
}
