/// Extracts the text of lines with macros of mdoc(7). Macros may occur in the arguments of others: `.Op Fl a Ar file`.
enum MdocLine {
  /// Returns whether a name is that of a macro with text.
  static func isMacro(_ name: String) -> Bool { macros.contains(name) || enclosures[name] != nil }

  /// Returns the text of a line.
  ///
  /// - Parameters:
  ///   - words: the macros and their arguments.
  ///   - name: the name of the page. The first `.Nm` sets it, and later ones without a name insert it.
  static func text(_ words: [String], name: inout String) -> String {
    var result: [String] = []
    var closing: [String] = []
    var joins = false
    func add(_ word: String) {
      guard joins || word.count == 1 && ".,:;)]?!".contains(word), let last = result.popLast() else {
        joins = false
        return result.append(word)
      }
      joins = false
      result.append(last + word)
    }
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      let next = index < words.count ? words[index] : nil
      switch word {
      case "Nm":
        if let next, !isMacro(next), next.contains(where: \.isLetter) {
          if name.isEmpty { name = next }
        } else if !name.isEmpty {
          add(name)
        }
      case "Fl":
        add("-")
        joins = next.map { !isMacro($0) } ?? false
      case "Xr":
        guard let next else { continue }
        index += 1
        add(index < words.count ? "\(next)(\(words[index]))" : next)
        index += 1
      case "Fn":
        guard let next else { continue }
        index += 1
        add("\(next)()")
      case "Ns": joins = true
      case "Nd": add("—")
      case _ where enclosures[word] != nil:
        guard let (open, close) = enclosures[word] else { continue }
        add(open)
        joins = true
        closing.append(close)
      case _ where macros.contains(word): break
      default: add(word)
      }
    }
    for close in closing.reversed() {
      joins = true
      add(close)
    }
    return result.joined(separator: " ")
  }

  private static let enclosures: [String: (String, String)] = [
    "Op": ("[", "]"), "Oo": ("[", ""), "Oc": ("", "]"), "Dq": ("“", "”"), "Sq": ("‘", "’"), "Ql": ("‘", "’"),
    "Qq": ("\"", "\""), "Pq": ("(", ")"), "Bq": ("[", "]"), "Brq": ("{", "}"), "Aq": ("<", ">"),
  ]

  private static let macros: Set<String> = [
    "Nm", "Nd", "Fl", "Fn", "Ar", "Pa", "Xr", "Em", "Sy", "Ic", "Cm", "Va", "Vt", "Ev", "Ft", "Fa", "In", "Li", "No",
    "Ns", "Sx",
    "Ad", "An", "At", "Bsx", "Bx", "Cd", "Dv", "Er", "Fd", "Fo", "Fc", "Fx", "Lb", "Lk", "Ms", "Mt", "Nx", "Ox", "Pf",
    "Rv",
    "St", "Tn", "Ux", "Ao", "Ac", "Bo", "Bc", "Do", "Dc", "Po", "Pc", "Qo", "Qc", "So", "Sc", "Xo", "Xc", "D1", "Dl",
    "Ta",
    "Eo", "Ec", "Es", "En", "Rs", "Re", "%A", "%T", "%J", "%B", "%D", "%U",
  ]
}
