import QueryModel
import TestSupport
import Testing

/// Compares the parsed form of random search box queries with their Boolean meaning.
struct SearchBoxLogicTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func operatorsFollowBooleanLogic(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let formula = Formula.random(depth: 4, &generator)
      let text = formula.text(&generator)
      let box = SearchBoxParser().parse(text)
      #expect(box.literals.isEmpty, "\(text)")
      // Each subset of the words is a document.
      for document in 0..<1 << Formula.words.count {
        let isFound = box.wanted.map { $0.matches(document) } ?? true && !(box.excluded?.matches(document) ?? false)
        if isFound != formula.holds(in: document) {
          Issue.record("\(text): \(shape(box.wanted)) without \(shape(box.excluded)), document \(document)")
          break
        }
      }
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func everyWordOfTextIsInQuery(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = ["AND", "OR", "NOT", "(", ")", "-", "\"", "a", "b", "(a", "b)", "-(", ")(", "*", "()", "f(a)", " "]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pieces.randomElement(using: &generator)! + (Bool.random(using: &generator) ? " " : "")
      }.joined()
      let box = SearchBoxParser().parse(text)
      let found = [box.wanted, box.excluded].compactMap { $0 }.flatMap(\.phrases).map(\.description).joined()
      func count(_ letter: Character, in text: String) -> Int { text.filter { $0 == letter }.count }
      for letter in "abf" { #expect(count(letter, in: found) == count(letter, in: text), "\(text): \(found)") }
    }
  }
}

/// A random formula over a few words.
private indirect enum Formula {
  case word(Int)
  case not(Formula)
  case and([Formula])
  case or([Formula])
  case adjacent([Formula])

  static let words = ["anna", "bert", "carl", "dora"]

  static func random(depth: Int, _ generator: inout SeededGenerator) -> Formula {
    func several() -> [Formula] {
      (0..<Int.random(in: 2...3, using: &generator)).map { _ in random(depth: depth - 1, &generator) }
    }
    switch depth == 0 ? 0 : Int.random(in: 0...5, using: &generator) {
    case 1: return .not(random(depth: depth - 1, &generator))
    case 2: return .and(several())
    case 3: return .or(several())
    case 4, 5: return .adjacent(several())
    default: return .word(Int.random(in: words.indices, using: &generator))
    }
  }

  func holds(in document: Int) -> Bool {
    switch self {
    case .word(let number): document & 1 << number != 0
    case .not(let operand): !operand.holds(in: document)
    case .and(let operands), .adjacent(let operands): operands.allSatisfy { $0.holds(in: document) }
    case .or(let operands): operands.contains { $0.holds(in: document) }
    }
  }

  /// The precedence of the formula.
  private var level: Int {
    switch self {
    case .adjacent: 0
    case .or: 1
    case .and: 2
    case .not: 3
    case .word: 4
    }
  }

  /// Returns the formula as a user may type it, with the required brackets and sometimes others.
  func text(_ generator: inout SeededGenerator) -> String {
    func text(_ operand: Formula, above level: Int) -> String {
      let inner = operand.text(&generator)
      return operand.level < level || Int.random(in: 0..<8, using: &generator) == 0 ? "(\(inner))" : inner
    }
    switch self {
    case .word(let number): return Formula.words[number]
    case .not(let operand):
      if case .word = operand, Bool.random(using: &generator) { return "-" + operand.text(&generator) }
      return "NOT " + text(operand, above: 3)
    case .and(let operands): return operands.map { text($0, above: 3) }.joined(separator: " AND ")
    case .or(let operands): return operands.map { text($0, above: 2) }.joined(separator: " OR ")
    case .adjacent(let operands): return operands.map { text($0, above: 1) }.joined(separator: " ")
    }
  }
}

extension MatchQuery {
  /// Returns whether a document matches. The bits of its number are the words that it contains.
  fileprivate func matches(_ document: Int) -> Bool {
    func holds(_ phrase: MatchPhrase) -> Bool {
      Formula.words.firstIndex(of: phrase.parts[0].text).map { document & 1 << $0 != 0 } ?? false
    }
    switch self {
    case .nothing: return false
    case .phrase(let phrase): return holds(phrase)
    case .words(let phrases): return phrases.allSatisfy(holds)
    case .near, .fields: return false
    case .and(let operands): return operands.allSatisfy { $0.matches(document) }
    case .or(let operands): return operands.contains { $0.matches(document) }
    case .not(let wanted, let excluded): return wanted.matches(document) && !excluded.matches(document)
    }
  }
}
