/// The literal bytes that every match of a part of a pattern contains. Text without them does not match.
struct RequiredLiterals: Equatable {
  /// The only text that matches, if there is only one.
  var whole: [UInt8]?
  /// The literal prefix of every match.
  var head: [UInt8]
  /// The literal suffix of every match.
  var tail: [UInt8]
  /// The longest literal found so far that every match contains.
  var best: [UInt8]

  /// The maximum length of a literal: longer ones do not make the search more selective.
  private static let maximumLength = 256

  /// Nothing is known.
  static let unknown = RequiredLiterals(whole: nil, head: [], tail: [], best: [])

  private init(whole: [UInt8]?, head: [UInt8], tail: [UInt8], best: [UInt8]) {
    self.whole = whole
    self.head = head
    self.tail = tail
    self.best = best
  }

  /// Creates the literals of a part that matches exactly one text.
  init(whole: [UInt8]) {
    let limit = RequiredLiterals.maximumLength
    self.init(
      whole: whole.count <= limit ? whole : nil, head: Array(whole.prefix(limit)), tail: Array(whole.suffix(limit)),
      best: Array(whole.prefix(limit)))
  }

  /// Returns the literals of this part followed by another.
  func followed(by next: RequiredLiterals) -> RequiredLiterals {
    if let whole, let other = next.whole { return RequiredLiterals(whole: whole + other) }
    let limit = RequiredLiterals.maximumLength
    let middle = Array((tail + next.head).prefix(limit))
    return RequiredLiterals(
      whole: nil, head: whole.map { Array(($0 + next.head).prefix(limit)) } ?? head,
      tail: next.whole.map { Array((tail + $0).suffix(limit)) } ?? next.tail,
      best: RequiredLiterals.longest([best, middle, next.best]))
  }

  /// Returns the literals that all branches of an alternation have in common.
  static func common(_ branches: [RequiredLiterals]) -> RequiredLiterals {
    guard var common = branches.first else { return .unknown }
    for branch in branches.dropFirst() where branch != common {
      let head = Array(zip(common.head, branch.head).prefix { $0 == $1 }.map(\.0))
      let tail = Array(zip(common.tail.reversed(), branch.tail.reversed()).prefix { $0 == $1 }.map(\.0).reversed())
      let best = common.best == branch.best ? common.best : []
      common = RequiredLiterals(whole: nil, head: head, tail: tail, best: longest([head, tail, best]))
    }
    return common
  }

  /// The literals of this part repeated one or more times.
  var atLeastOnce: RequiredLiterals { RequiredLiterals(whole: nil, head: head, tail: tail, best: best) }

  private static func longest(_ strings: [[UInt8]]) -> [UInt8] { strings.max { $0.count < $1.count } ?? [] }
}
