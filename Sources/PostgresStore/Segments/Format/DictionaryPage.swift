/// A page of the dictionary of a segment: successive terms in byte order with their entries.
///
/// ```
/// page := (shared:number  length:number  suffix:byte{length}  size:number  entry:byte{size})*
/// ```
///
/// `shared` is the number of bytes that the term shares with the previous one of the page. A page ends
/// after about 1 kB, so that the server sends few bytes when a rare term is looked up. An entry with many blocks is the
/// only entry of its page. A page is stored under its first term, and a term is on the last page whose first term is
/// not greater.
enum DictionaryPage {
  /// The maximum size of a page with several terms.
  static let size = 1024
  /// The maximum length of a term; the analyzer truncates longer ones.
  static let maximumTermLength = 255

  /// Calls `body` with each term and a reader of its entry, until it returns false.
  static func forEach(
    _ page: UnsafeBufferPointer<UInt8>,
    _ body: (_ term: [UInt8], _ entry: inout PayloadReader) throws -> Bool
  ) throws {
    var reader = PayloadReader(page)
    var term: [UInt8] = []
    var isFirst = true
    while !reader.isAtEnd {
      let shared = try reader.number(upTo: term.count)
      let suffix = try reader.bytes(reader.number(upTo: maximumTermLength - shared))
      // The first byte that differs determines the order.
      let ascends = shared < term.count ? suffix.first.map { $0 > term[shared] } ?? false : !suffix.isEmpty
      guard isFirst || ascends else { throw SegmentDamage.unordered }
      isFirst = false
      term.removeSubrange(shared...)
      term.append(contentsOf: suffix)
      var entry = PayloadReader(try reader.bytes(reader.number(upTo: reader.count)))
      guard try body(term, &entry) else { return }
    }
  }

  /// Returns the entry of a term; nil if the page does not contain it.
  static func entry(of wanted: [UInt8], on page: UnsafeBufferPointer<UInt8>) throws -> DictionaryEntry? {
    var found: DictionaryEntry?
    try forEach(page) { term, entry in
      if term.lexicographicallyPrecedes(wanted) { return true }
      if term == wanted { found = try DictionaryEntry(&entry) }
      return false
    }
    return found
  }
}

/// Builds the pages of a dictionary.
struct DictionaryPageBuilder {
  private(set) var firstTerm: [UInt8] = []
  private(set) var page: [UInt8] = []
  private var last: [UInt8] = []
  private var content: [UInt8] = []

  /// Appends a term that is greater than all earlier ones.
  ///
  /// - Returns: the finished page before it, with its first term; nil if the page is not full yet.
  mutating func append(_ term: UnsafeBufferPointer<UInt8>, _ entry: DictionaryEntry) -> (term: [UInt8], page: [UInt8])?
  {
    content.removeAll(keepingCapacity: true)
    entry.append(to: &content)
    var finished: (term: [UInt8], page: [UInt8])?
    if !page.isEmpty, page.count + content.count + term.count > DictionaryPage.size { finished = finish() }
    var shared = 0
    if page.isEmpty {
      firstTerm = Array(term)
    } else {
      while shared < min(last.count, term.count), last[shared] == term[shared] { shared += 1 }
    }
    page.appendNumber(shared)
    page.appendNumber(term.count - shared)
    page.append(contentsOf: UnsafeBufferPointer(rebasing: term[shared...]))
    page.appendNumber(content.count)
    page += content
    last.removeSubrange(shared...)
    last.append(contentsOf: UnsafeBufferPointer(rebasing: term[shared...]))
    return finished
  }

  /// Returns the last page; nil if it is empty.
  mutating func finish() -> (term: [UInt8], page: [UInt8])? {
    guard !page.isEmpty else { return nil }
    defer {
      page = []
      last.removeAll(keepingCapacity: true)
    }
    return (firstTerm, page)
  }
}
