/// Limits the number of attributes of a tag, and the number of open elements, before libxml2 parses a page, and
/// rewrites what libxml2 reads differently from browsers.
///
/// libxml2 compares each attribute of a tag with all previous ones, and each end tag with all open elements, which
/// takes minutes for several hundred thousand. Attributes are not part of a page's text, so those above a limit are
/// removed. Tags of elements above a limit are replaced with the white space that they mean. Tags, comments, scripts
/// and styles are recognized with the rules of libxml2.
///
/// ``HTMLDeclarations`` and ``HTMLReferences`` say what libxml2 reads differently.
struct HTMLRewriter {
  /// The maximum number of attributes kept per tag. Real pages have at most a few dozen.
  static let maximumAttributeCount = 256

  private var cursor: HTMLCursor
  /// The changes, in order.
  private var edits: [HTMLEdit] = []
  private var elements = HTMLOpenElements()
  private var declarations = HTMLDeclarations()
  /// The offset of the first `&` that has not been read, or the end of the page.
  private var nextReference = 0

  /// Returns the page without the attributes and tags above the limits, and with rewritten markup; nil if nothing needs
  /// to be changed, as in most pages.
  ///
  /// - Complexity: O(n).
  static func rewritten(_ page: UnsafeRawBufferPointer) -> [UInt8]? {
    var rewriter = HTMLRewriter(cursor: HTMLCursor(page: page))
    rewriter.scan()
    guard !rewriter.edits.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(page.count)
    var position = 0
    for edit in rewriter.edits {
      result.append(contentsOf: page[position..<edit.range.lowerBound])
      result.append(contentsOf: edit.replacement.utf8)
      position = edit.range.upperBound
    }
    result.append(contentsOf: page[position...])
    return result
  }

  private init(cursor: HTMLCursor) { self.cursor = cursor }

  private mutating func scan() {
    let page = cursor.page
    while true {
      let tag = page.firstIndex(of: UInt8(ascii: "<"), from: cursor.position)
      rewriteReferences(in: cursor.position, tag ?? page.count)
      guard let start = tag else { return }
      cursor.position = start + 1
      guard let first = cursor.byte else { return }
      if first == UInt8(ascii: "!") {
        if let edit = declarations.readEdit(&cursor) { edits.append(edit) }
      } else if first == UInt8(ascii: "/") {
        cursor.position += 1
        if cursor.byte?.isHTMLNameStart == true { scanEndTag(from: start) }
      } else if first.isHTMLNameStart {
        scanStartTag(from: start)
      }
    }
  }

  /// Rewrites the character references of a text.
  private mutating func rewriteReferences(in start: Int, _ end: Int) {
    // The offset is kept, so that a page with many tags is searched only once.
    var reference = max(nextReference, start)
    while reference < end {
      reference = cursor.page.firstIndex(of: UInt8(ascii: "&"), from: reference) ?? cursor.page.count
      guard reference < end else { break }
      if let edit = HTMLReferences.edit(at: reference, in: cursor.page) { edits.append(edit) }
      reference += 1
    }
    nextReference = reference
  }

  /// Scans from the name of a start tag to its `>`.
  private mutating func scanStartTag(from start: Int) {
    let name = cursor.takeName()
    let editCount = edits.count
    scanAttributes()
    guard !cursor.starts(with: "/>") else { return }
    guard elements.start(name) else {
      edits.removeLast(edits.count - editCount)
      cursor.position = min(cursor.position + 1, cursor.page.count)
      return drop(name, from: start)
    }
    if name == "script" || name == "style" { cursor.skip(to: "</" + name) }
  }

  /// Scans from the name of an end tag to the next `>`.
  private mutating func scanEndTag(from start: Int) {
    let name = cursor.takeName()
    cursor.skip(past: UInt8(ascii: ">"))
    if !elements.end(name) { drop(name, from: start) }
  }

  /// Replaces a tag that ends at the cursor.
  private mutating func drop(_ name: String, from start: Int) {
    let isCell = name == "td" || name == "th"
    let replacement = isCell ? " " : HTMLElements.blocks.contains(name) ? "<br>" : ""
    edits.append(HTMLEdit(range: start..<cursor.position, replacement: replacement))
  }

  /// Scans from the end of a tag name to the `>`.
  private mutating func scanAttributes() {
    var count = 0
    var excessStart: Int?
    while let byte = cursor.byte {
      if byte == UInt8(ascii: ">") || cursor.starts(with: "/>") { break }
      if byte.isJSONSpace {
        cursor.position += 1
        continue
      }
      count += 1
      if count > HTMLRewriter.maximumAttributeCount, excessStart == nil { excessStart = cursor.position }
      cursor.skipAttribute()
    }
    if let excessStart { edits.append(HTMLEdit(range: excessStart..<cursor.position, replacement: "")) }
  }
}
