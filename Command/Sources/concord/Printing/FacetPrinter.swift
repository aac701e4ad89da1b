import Concordance

/// Prints the facets of a search as text and as JSON.
struct FacetPrinter {
  let style: Style

  /// Returns a heading for a facet, and below it its values with a column of counts.
  func text(_ facet: Facet) -> String {
    var numbers: [String] = [Quantity.count(facet.documentCount, "document")]
    if let minimum = facet.minimum, let maximum = facet.maximum {
      numbers.append("\(FacetPrinter.number(minimum)) to \(FacetPrinter.number(maximum))")
    }
    var text = "\n" + style.strong(TerminalText.sanitized(facet.property))
    text += "  " + style.faint("(\(numbers.joined(separator: ", ")))") + "\n"
    let counts = facet.values.map { Quantity.count($0.count) }
    let width = counts.map(\.count).max() ?? 0
    for (value, count) in zip(facet.values, counts) {
      let margin = String(repeating: " ", count: 4 + width - count.count)
      text += margin + count + "  " + TerminalText.sanitized(FacetPrinter.name(value.value)) + "\n"
    }
    if facet.otherValueCount > 0 {
      text += "    " + style.faint("and \(Quantity.count(facet.otherValueCount, "other value"))") + "\n"
    }
    return text
  }

  /// Returns a value on one line; a string in JSON quotation marks if it could be mistaken for another value.
  private static func name(_ value: FacetValue) -> String {
    let text = "\(value)"
    if case .string(let string) = value,
      SelectionArgument(argument: "x=\(string)")?.value != value
        || string.first?.isWhitespace ?? true || string.last?.isWhitespace ?? true
    {
      return value.json
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns all facets of a search and the number of matching documents as one line of JSON.
  static func line(_ results: SearchResults) -> String {
    var line = JSONLine()
    line.add("total", results.total.value)
    line.add("facets", results.facets.map(object))
    return line.text
  }

  private static func object(_ facet: Facet) -> JSONLine {
    var object = JSONLine()
    object.add("property", facet.property)
    object.add(
      "values",
      facet.values.map { value in
        var entry = JSONLine()
        entry.add("value", json: value.value.json)
        entry.add("count", value.count)
        return entry
      })
    object.add("others", facet.otherValueCount)
    object.add("documents", facet.documentCount)
    object.add("min", json: facet.minimum.map(number) ?? "null")
    object.add("max", json: facet.maximum.map(number) ?? "null")
    return object
  }

  /// Formats a number, without the fraction if it is zero.
  private static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
}
