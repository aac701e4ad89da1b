/// Reads the lines of a manual page and collects the text of its sections.
struct RoffReader {
  /// The sections: their headings and texts. The text before the first heading has no name.
  private(set) var sections: [(name: String?, text: String)] = [(nil, "")]
  /// The name and section of the page: `ls(1)`.
  private(set) var title: String?
  private(set) var date: String?

  private var escapes = RoffEscapes()
  /// A macro without arguments, such as `.SH` or `.B`, whose argument is the next line.
  private var pending: String?
  /// The line that ends a definition or ignored text: `..`.
  private var terminator: String?
  /// The number of open `\{` in a branch that is not taken.
  private var skippedDepth = 0
  private var isElseTaken = false
  private var isInTableFormat = false
  private var mdocName = ""
  /// The nesting depth of conditional requests on one line.
  private var conditionDepth = 0
  private static let maximumConditionDepth = 20
  /// The start of a line that ends with a backslash.
  private var continued = ""

  /// Reads a line.
  mutating func read(_ line: String) {
    if let terminator {
      if line.hasPrefix(terminator) { self.terminator = nil }
      return
    }
    guard !line.hasSuffix("\\") || line.hasSuffix("\\\\") else {
      // The length is bounded by that of the page.
      continued += line.dropLast()
      return
    }
    let whole = continued.isEmpty ? line : continued + line
    continued = ""
    if skippedDepth > 0 { return skip(whole) }
    if isInTableFormat {
      isInTableFormat = !(whole.hasSuffix(".") || whole.hasSuffix(". "))
      return
    }
    if let first = whole.first, first == "." || first == "'" {
      request(whole.dropFirst().drop { $0 == " " || $0 == "\t" })
    } else if let macro = pending {
      pending = nil
      let argument = escapes.text(whole)
      apply(macro, [argument], line: whole)
    } else {
      let text = escapes.text(whole)
      add(text, breaks: true)
    }
  }

  /// Ends the page.
  mutating func finish() {
    guard !continued.isEmpty else { return }
    let last = continued
    continued = ""
    read(last)
  }

  /// Skips the lines of a branch up to its closing `\}`.
  private mutating func skip(_ line: String) {
    skippedDepth += line.components(of: "\\{") - line.components(of: "\\}")
    skippedDepth = max(skippedDepth, 0)
  }

  private mutating func request(_ text: Substring) {
    if text.hasPrefix("\\\"") || text.isEmpty { return }
    // The end of a branch that is taken.
    if text.hasPrefix("\\}") { return }
    let name = String(text.prefix { !$0.isWhitespace && $0 != "\\" })
    let rest = text.dropFirst(name.count)
    switch name {
    case "de", "de1", "am", "dei", "ami":
      terminator = "." + (RoffArguments(rest, &escapes).words.dropFirst().first ?? ".")
    case "ig": terminator = "." + (RoffArguments(rest, &escapes).words.first ?? ".")
    case "ds", "as": escapes.define(rest)
    case "if", "ie": branch(rest, isElse: false, startsPair: name == "ie")
    case "el": branch(rest, isElse: true, startsPair: false)
    case "TS": isInTableFormat = true
    default:
      let arguments = RoffArguments(rest, &escapes).words
      if arguments.isEmpty, RoffReader.takesNextLine.contains(name) {
        pending = name
      } else {
        pending = nil
        apply(name, arguments, line: String(rest))
      }
    }
  }

  /// Interprets a conditional request. Only the condition `n` (the output is text) is true; `t` and all others, which
  /// pages use for other output devices, are false.
  private mutating func branch(_ text: Substring, isElse: Bool, startsPair: Bool) {
    var rest = text.drop { $0 == " " || $0 == "\t" }
    var isTaken = isElseTaken
    if !isElse {
      let isNegated = rest.first == "!"
      if isNegated { rest = rest.dropFirst() }
      let condition = rest.prefix { !$0.isWhitespace }
      rest = rest.dropFirst(condition.count).drop { $0 == " " || $0 == "\t" }
      isTaken = (condition == "n") != isNegated
    }
    if startsPair { isElseTaken = !isTaken }
    let opens = rest.hasPrefix("\\{")
    if opens { rest = rest.dropFirst(2) }
    guard isTaken else {
      if opens { skippedDepth = max(0, 1 + rest.components(of: "\\{") - rest.components(of: "\\}")) }
      return
    }
    let line = rest.trimmingSpaces
    guard !line.isEmpty, line != "\\", conditionDepth < RoffReader.maximumConditionDepth else { return }
    conditionDepth += 1
    read(line)
    conditionDepth -= 1
  }

  private static let takesNextLine: Set<String> = [
    "SH", "SS", "B", "I", "BI", "BR", "IB", "IR", "RB", "RI", "SM", "SB",
  ]
  private static let breaks: Set<String> = [
    "PP", "P", "LP", "TP", "TQ", "HP", "IP", "RS", "RE", "br", "sp", "nf", "fi", "EX", "EE", "SY", "YS", "Pp", "Bl",
    "El",
    "It", "Bd", "Ed", "Sp", "Vb", "Ve", "bp", "ti", "in", "Lp", "TE",
  ]
  private static let ignored: Set<String> = [
    "ad", "hy", "nh", "na", "ne", "ft", "nr", "rm", "rn", "ta", "ll", "ss", "ps", "vs", "cs", "fam", "tr", "lg", "kern",
    "AT", "UC", "DT", "PD", "IX", "Os", "UE", "ME", "EQ", "EN", "Bk", "Ek", "sy", "cf", "mso", "do", "while", "als",
    "it",
    "ce", "ul", "cu", "fp", "pl", "po", "pn", "ev", "di", "da", "wh", "ch", "em", "nx", "rd", "ex", "ab", "tm", "hw",
    "hc",
    "ec", "eo", "cc", "c2", "ns", "rs", "mk", "rt", "lt", "pc", "af", "rr", "shift", "return", "break", "continue",
    "hlm",
    "nop", "URL", "Sm",
  ]

  private mutating func apply(_ name: String, _ arguments: [String], line: String) {
    switch name {
    case "TH":
      title = arguments.first.map { "\($0.lowercased())(\(arguments.count > 1 ? arguments[1] : ""))" }
      if arguments.count > 2, !arguments[2].isEmpty { date = arguments[2] }
    case "Dt": title = arguments.first.map { "\($0.lowercased())(\(arguments.count > 1 ? arguments[1] : ""))" }
    case "Dd": if !arguments.isEmpty { date = arguments.joined(separator: " ") }
    case "SH", "Sh":
      sections.append((LocationName.normalized(arguments.joined(separator: " ")), ""))
    case "SS", "Ss": add(arguments.joined(separator: " "), breaks: true, startsLine: true)
    case "B", "I", "SM", "SB": add(arguments.joined(separator: " "), breaks: true)
    case "BI", "BR", "IB", "IR", "RB", "RI", "OP": add(arguments.joined(), breaks: true)
    case "IP": add(arguments.first ?? "", breaks: true, startsLine: true)
    case "UR", "MT", "so", "MR": add(arguments.joined(separator: " "), breaks: true)
    case "It": add(MdocLine.text(arguments, name: &mdocName), breaks: true, startsLine: true)
    default:
      if RoffReader.breaks.contains(name) { return add("", breaks: false, startsLine: true) }
      if RoffReader.ignored.contains(name) { return }
      if MdocLine.isMacro(name) { add(MdocLine.text([name] + arguments, name: &mdocName), breaks: true) }
    }
  }

  /// Appends text to the current section.
  private mutating func add(_ text: String, breaks: Bool, startsLine: Bool = false) {
    let last = sections.count - 1
    if startsLine, !sections[last].text.isEmpty, !sections[last].text.hasSuffix("\n") { sections[last].text += "\n" }
    guard !text.isEmpty else { return }
    sections[last].text += text
    if breaks { sections[last].text += "\n" }
  }
}

extension StringProtocol {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }

  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " || $0 == "\t" })
  }
}
