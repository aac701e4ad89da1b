/// Finds the names that a source file defines: functions, types, macros. They are a field of the index, so that a
/// search for a name finds its definition before its uses.
///
/// The rules are the same for all languages, because a file extension does not determine the language reliably:
///
/// - the name after `#define`;
/// - the name after a keyword such as `class`, `def`, `func` or `struct`, with modifiers such as `static` and
///   `template <…>` before it; for type keywords such as `struct`, `enum`, `union` and `class`, only if a body or a
///   list of supertypes follows;
/// - the name before a parameter list that is followed by a body in braces, as in C or Java, in a line that is not
///   indented or begins with a modifier; if the name is in capital letters, as in `SYSCALL_DEFINE3(open, …)`, the first
///   parameter;
/// - the last name of a `typedef` on one line, and the name between `}` and `;`.
///
/// Comments and strings are not skipped, so a line of a comment may appear to define a name. This only adds to the
/// field a word that the text contains anyway.
struct DefinedNames {
  private let text: UnsafeRawBufferPointer
  private var names: [String] = []
  private var seen = Set<String>()
  private var size = 0

  /// The maximum size of all names in bytes. Generated headers define more; their later names are left out.
  private static let maximumSize = 64 << 10
  /// The maximum distance in bytes between the beginning of a function and its body.
  private static let maximumHead = 1000

  private init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// Returns the distinct names of a file, in order, separated by spaces; nil if there are none.
  ///
  /// - Complexity: O(n) in the size of the text.
  static func names(in text: UnsafeRawBufferPointer) -> String? {
    var found = DefinedNames(text)
    var lines = TextLines(text)
    while found.size < maximumSize {
      let start = lines.position
      guard let line = lines.next() else { break }
      found.read(start..<(start + line.count))
    }
    return found.names.isEmpty ? nil : found.names.joined(separator: " ")
  }

  private mutating func read(_ line: Range<Int>) {
    var words = NameScanner(text, line)
    guard let first = words.peek() else { return }
    switch first {
    case UInt8(ascii: "#"):
      words.skip()
      if let directive = words.next(), words.isDefine(directive) { add(words.next()) }
      return
    case UInt8(ascii: "}"):
      words.skip()
      if let name = words.next(), words.peek() == UInt8(ascii: ";") { add(name) }
      return
    default:
      guard NameScanner.isNameStart(first) else { return }
    }
    var word = words.next()
    var hasModifier = false
    while let current = word {
      if words.keyword(current) == .modifier {
        words.skipArgument(of: current)
      } else if !words.skipTemplate(current) {
        break
      }
      word = words.next()
      hasModifier = true
    }
    guard let word else { return }
    switch words.keyword(word) {
    case .typedef: return readTypedef(line)
    case .statement: return
    case .definition(let needsBody):
      // The result of a C function may be a structure: `struct page *alloc_page(gfp_t flags)`.
      if let name = words.next(), !needsBody || words.isBodyNext { return add(name) }
    case .modifier, nil: break
    }
    if hasModifier || word.lowerBound == line.lowerBound { readFunction(at: word.lowerBound, end: line.upperBound) }
  }

  /// Reads a definition such as `static void *kmalloc(size_t size, gfp_t flags) {`.
  private mutating func readFunction(at start: Int, end: Int) {
    let limit = min(text.count, start + DefinedNames.maximumHead)
    var position = start
    var name: Range<Int>?
    while position < limit {
      let byte = text[position]
      if NameScanner.isNameStart(byte) {
        let begin = position
        while position < limit, NameScanner.isNamePart(text[position]) { position += 1 }
        let word = begin..<position
        var next = position
        while next < limit, text[next] == 0x20 { next += 1 }
        guard next < limit, text[next] == UInt8(ascii: "(") else { continue }
        let isAttribute = isAttribute(word)
        if name != nil, !isAttribute { return }
        guard let close = closingParenthesis(next, limit) else { return }
        if !isAttribute || name == nil && isFollowedByBody(close, limit) {
          name = isCapitals(word) ? firstName(in: (next + 1)..<close) : word
        }
        position = close + 1
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): return add(name)
      case UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "\""): return
      case UInt8(ascii: "\n") where name == nil && position > end: return
      default: position += 1
      }
    }
  }

  /// Whether a name may be an attribute such as `__printf(1, 2)`, or Go's `func` before a receiver.
  private func isAttribute(_ name: Range<Int>) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: text[name])
    return bytes.starts(with: "__".utf8) || bytes.elementsEqual("func".utf8)
  }

  private func isFollowedByBody(_ close: Int, _ limit: Int) -> Bool {
    var next = close + 1
    while next < limit, text[next].isJSONSpace { next += 1 }
    return next < limit && text[next] == UInt8(ascii: "{")
  }

  /// Returns the offset of the parenthesis that closes the one at an offset; nil if it is missing.
  private func closingParenthesis(_ open: Int, _ limit: Int) -> Int? {
    var depth = 0
    for position in open..<limit {
      switch text[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return position }
      case UInt8(ascii: "{"), UInt8(ascii: ";"): return nil
      default: break
      }
    }
    return nil
  }

  private func isCapitals(_ name: Range<Int>) -> Bool {
    name.count > 2 && name.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[$0]) }
  }

  private func firstName(in range: Range<Int>) -> Range<Int>? {
    guard let start = range.first(where: { NameScanner.isNameStart(text[$0]) }) else { return nil }
    let end = (start..<range.upperBound).first { !NameScanner.isNamePart(text[$0]) }
    return start..<(end ?? range.upperBound)
  }

  private mutating func readTypedef(_ line: Range<Int>) {
    var end = line.upperBound
    while end > line.lowerBound, text[end - 1].isJSONSpace { end -= 1 }
    guard end > line.lowerBound, text[end - 1] == UInt8(ascii: ";") else { return }
    var begin = end - 1
    while begin > line.lowerBound, NameScanner.isNamePart(text[begin - 1]) { begin -= 1 }
    add(begin..<(end - 1))
  }

  private mutating func add(_ name: Range<Int>?) {
    guard let name, name.count > 1, name.count <= 200, NameScanner.isNameStart(text[name.lowerBound]) else { return }
    let string = String(decoding: UnsafeRawBufferPointer(rebasing: text[name]), as: UTF8.self)
    guard seen.insert(string).inserted else { return }
    names.append(string)
    size += name.count + 1
  }
}
