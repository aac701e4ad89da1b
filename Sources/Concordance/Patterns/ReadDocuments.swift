/// Copies of documents that one thread reads and another one searches.
struct ReadDocuments: Sendable {
  private var bytes: [UInt8] = []
  /// The ends of the id and of the JSON text of each document.
  private var ends: [(id: Int, body: Int)] = []

  /// The size in bytes at which documents are handed over.
  private static let fullSize = 512 << 10

  var isFull: Bool { bytes.count >= ReadDocuments.fullSize }
  var isEmpty: Bool { ends.isEmpty }

  mutating func append(_ id: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: id)
    let idEnd = bytes.count
    bytes.append(contentsOf: body)
    ends.append((idEnd, bytes.count))
  }

  /// Calls `body` with the id and the JSON text of each document until it returns false.
  func forEach(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool) rethrows {
    try bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        let (id, text) = (bytes[start..<end.id], bytes[end.id..<end.body])
        guard try body(UnsafeRawBufferPointer(rebasing: id), UnsafeRawBufferPointer(rebasing: text)) else { return }
        start = end.body
      }
    }
  }
}
