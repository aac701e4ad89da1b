package import TextIndex

/// The terms of a recently saved document, which is not in a segment yet, with their positions and lengths of columns.
///
/// ```
/// document := length:number{per column}  (shared:number  length:number  suffix  size:number  poslist:byte{size})*
/// ```
///
/// Terms are in byte order and share prefixes as in ``DictionaryPage``; poslists have the form of `DoclistFormat`.
package struct ForwardDocument: Sendable, Hashable {
  /// The number of terms in each column.
  let lengths: [UInt32]
  /// The terms.
  private(set) var terms = TermSequence()
  /// The poslists, one after the other.
  private var poslistBytes: [UInt8] = []
  private var poslistEnds: [UInt32] = []

  /// The size in bytes.
  var size: Int { terms.bytes.count + poslistBytes.count + 4 * (lengths.count + 2 * terms.count) }

  /// Calls `body` with the poslist of a term, given by its number.
  func withPoslist<T>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    let range = (number == 0 ? 0 : Int(poslistEnds[number - 1]))..<Int(poslistEnds[number])
    return try poslistBytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}

extension ForwardDocument {
  /// Sorts the terms of a document.
  package init(_ document: AnalyzedDocument) {
    lengths = document.lengths
    var occurrences: [(term: [UInt8], position: TermPosition)] = []
    document.forEachTerm { term, column, position in
      occurrences.append((Array(term), TermPosition(column: column, position: position)))
    }
    let order = occurrences.indices.sorted { one, other in
      let (left, right) = (occurrences[one].term, occurrences[other].term)
      return left == right ? one < other : left.lexicographicallyPrecedes(right)
    }
    var writer = PoslistWriter()
    for (index, number) in order.enumerated() {
      let term = occurrences[number].term
      writer.append(occurrences[number].position)
      if index + 1 < order.count, occurrences[order[index + 1]].term == term { continue }
      terms.append(term)
      writer.appendBytes(to: &poslistBytes)
      poslistEnds.append(UInt32(clamping: poslistBytes.count))
      writer.removeAll()
    }
  }

  /// The stored form.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for length in lengths { bytes.appendNumber(length) }
    for number in 0..<terms.count {
      bytes.appendTerm(terms.term(number), after: number == 0 ? [] : terms.term(number - 1))
      withPoslist(number) { poslist in
        bytes.appendNumber(poslist.count)
        bytes.append(contentsOf: poslist)
      }
    }
    return bytes
  }

  /// Reads the stored form.
  ///
  /// - Throws: ``SegmentDamage``, `DoclistCorruption`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, columnCount: Int) throws {
    var reader = PayloadReader(bytes)
    lengths = try (0..<columnCount).map { _ in try reader.number32() }
    while !reader.isAtEnd {
      try terms.appendTerm(from: &reader)
      let poslist = try reader.bytes(reader.number(upTo: reader.count))
      // Checks the poslist, so that errors are reported here.
      var count = 0
      try forEachPosition(in: poslist, columnCount: columnCount) { _ in count += 1 }
      guard count > 0 else { throw SegmentDamage.badNumber }
      poslistBytes.append(contentsOf: poslist)
      poslistEnds.append(UInt32(clamping: poslistBytes.count))
    }
  }
}
