package import TextIndex

/// Different terms in byte order: those of a document, or of a document of a segment that a recent change hides.
///
/// ```
/// terms := (shared:number  length:number  suffix)*
/// ```
package struct TermSequence: Sendable, Hashable {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [UInt32] = []

  /// Creates an empty sequence.
  package init() {}

  /// The number of terms.
  var count: Int { ends.count }

  /// Returns a term.
  func term(_ number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])] }

  /// Returns the number of a term; nil if the sequence does not contain it.
  func number(of wanted: [UInt8]) -> Int? {
    let number = (0..<count).partitionPoint { !term($0).lexicographicallyPrecedes(wanted) }
    return number < count && term(number).elementsEqual(wanted) ? number : nil
  }

  /// Returns the numbers of the terms with a prefix.
  func numbers(beginningWith prefix: [UInt8]) -> Range<Int> {
    let first = (0..<count).partitionPoint { !term($0).lexicographicallyPrecedes(prefix) }
    return first..<(first..<count).partitionPoint { !term($0).starts(with: prefix) }
  }

  /// Appends a term that is greater than all others.
  mutating func append(_ term: some Collection<UInt8>) {
    bytes.append(contentsOf: term)
    ends.append(UInt32(clamping: bytes.count))
  }

  /// Reads a term and appends it.
  mutating func appendTerm(from reader: inout PayloadReader) throws(SegmentDamage) {
    let last = ends.isEmpty ? [] : term(count - 1)
    let shared = try reader.number(upTo: last.count)
    let suffix = try reader.bytes(reader.number(upTo: DictionaryPage.maximumTermLength - shared))
    let ascends =
      shared < last.count ? suffix.first.map { $0 > last[last.startIndex + shared] } ?? false : !suffix.isEmpty
    guard ascends || ends.isEmpty else { throw .unordered }
    bytes.append(contentsOf: last.prefix(shared))
    bytes.append(contentsOf: suffix)
    ends.append(UInt32(clamping: bytes.count))
  }
}

extension TermSequence {
  /// Collects the terms of a document.
  package init(_ document: AnalyzedDocument) {
    self = ForwardDocument(document).terms
  }

  /// The stored form.
  var storedBytes: [UInt8] {
    var stored: [UInt8] = []
    for number in 0..<count { stored.appendTerm(term(number), after: number == 0 ? [] : term(number - 1)) }
    return stored
  }

  /// Reads the stored form.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(SegmentDamage) {
    var reader = PayloadReader(bytes)
    while !reader.isAtEnd { try appendTerm(from: &reader) }
  }
}

extension [UInt8] {
  /// Appends a term that follows another one in byte order, without their common prefix.
  mutating func appendTerm(_ term: ArraySlice<UInt8>, after last: ArraySlice<UInt8>) {
    let shared = zip(last, term).prefix { $0 == $1 }.count
    appendNumber(shared)
    appendNumber(term.count - shared)
    append(contentsOf: term.dropFirst(shared))
  }
}
