/// The elements that are open at a position of a page, according to the start and end tags before it.
///
/// Elements are closed only where libxml2 closes them, so its stack is never deeper than this one, except for the
/// elements `html`, `head` and `body` and the paragraphs that it inserts into them.
struct HTMLOpenElements {
  /// The maximum number of open elements. libxml2 searches all of them for each end tag, which takes minutes for a
  /// hundred thousand unclosed elements. Real pages have at most a few hundred.
  static let maximumCount = 1000

  private var elements: [(name: String, priority: Int)] = []
  /// The numbers of start tags above the limit whose end tags have not been seen, by name.
  private var excess: [String: Int] = [:]

  /// Opens the element of a start tag.
  ///
  /// - Returns: false if too many elements are open.
  mutating func start(_ name: String) -> Bool {
    if HTMLOpenElements.void.contains(name) || HTMLOpenElements.roots.contains(name) { return true }
    if let closed = HTMLOpenElements.closedByStart[name] {
      while let last = elements.last, closed.contains(last.name) { elements.removeLast() }
    }
    guard elements.count < HTMLOpenElements.maximumCount || isKept(name) else {
      excess[name, default: 0] += 1
      return false
    }
    elements.append((name, HTMLOpenElements.priorities[name] ?? 0))
    return true
  }

  /// Closes the element of an end tag.
  ///
  /// - Returns: false if the element was not opened because too many elements were open.
  mutating func end(_ name: String) -> Bool {
    if HTMLOpenElements.roots.contains(name) { return true }
    if !excess.isEmpty, let count = excess[name] {
      excess[name] = count > 1 ? count - 1 : nil
      return false
    }
    let priority = HTMLOpenElements.priorities[name] ?? 0
    for index in elements.indices.reversed() {
      if elements[index].name == name {
        elements.removeLast(elements.count - index)
        // Elements that were not opened would have been inside this one.
        excess.removeAll()
        return true
      }
      // A misplaced end tag does not close elements of higher priority.
      if elements[index].priority > priority { return true }
    }
    return true
  }

  /// Returns whether an element is opened even above the limit, because its content is not text.
  private func isKept(_ name: String) -> Bool {
    (name == "script" || name == "style") && !elements.contains { $0.name == name }
  }

  /// libxml2 ignores repeated tags of these elements, so they are not counted.
  private static let roots: Set<String> = ["html", "head", "body"]

  /// The elements without an end tag, in libxml2's table.
  private static let void: Set<String> = [
    "area", "base", "basefont", "br", "col", "frame", "hr", "img", "input", "isindex", "link", "meta", "param",
  ]

  /// The innermost elements that a start tag closes: the part of libxml2's table for elements whose end tags are often
  /// omitted.
  private static let closedByStart: [String: Set<String>] = [
    "p": ["p"], "li": ["p", "li"], "td": ["p", "td", "th"], "th": ["p", "td", "th"], "tr": ["p", "td", "th", "tr"],
    "dt": ["p", "dd"], "dd": ["p", "dt"], "option": ["option"],
  ]

  /// The priorities of libxml2's `htmlEndPriority`, relative to those of other elements.
  private static let priorities = [
    "div": 1, "td": 2, "th": 2, "tr": 3, "thead": 4, "tbody": 4, "tfoot": 4, "table": 5,
  ]
}
