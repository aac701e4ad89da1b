/// What every match of a part of a pattern holds byte for byte, so that text without it need not be tried.
struct LiteralFacts: Equatable {
  /// The one text that matches, if there is only one.
  var whole: [UInt8]?
  /// How every match begins.
  var head: [UInt8]
  /// How every match ends.
  var tail: [UInt8]
  /// The longest string found so far that every match holds.
  var best: [UInt8]

  /// Longer strings tell no more.
  private static let maximumLength = 256

  /// Nothing is known.
  static let unknown = LiteralFacts(whole: nil, head: [], tail: [], best: [])

  private init(whole: [UInt8]?, head: [UInt8], tail: [UInt8], best: [UInt8]) {
    self.whole = whole
    self.head = head
    self.tail = tail
    self.best = best
  }

  /// One text matches.
  init(whole: [UInt8]) {
    let limit = LiteralFacts.maximumLength
    self.init(
      whole: whole.count <= limit ? whole : nil, head: Array(whole.prefix(limit)), tail: Array(whole.suffix(limit)),
      best: Array(whole.prefix(limit)))
  }

  /// This and then that.
  func followed(by next: LiteralFacts) -> LiteralFacts {
    if let whole, let other = next.whole { return LiteralFacts(whole: whole + other) }
    let limit = LiteralFacts.maximumLength
    let middle = Array((tail + next.head).prefix(limit))
    return LiteralFacts(
      whole: nil, head: whole.map { Array(($0 + next.head).prefix(limit)) } ?? head,
      tail: next.whole.map { Array((tail + $0).suffix(limit)) } ?? next.tail,
      best: LiteralFacts.longest([best, middle, next.best]))
  }

  /// One of these.
  static func common(_ branches: [LiteralFacts]) -> LiteralFacts {
    guard var common = branches.first else { return .unknown }
    for branch in branches.dropFirst() where branch != common {
      let head = Array(zip(common.head, branch.head).prefix { $0 == $1 }.map(\.0))
      let tail = Array(zip(common.tail.reversed(), branch.tail.reversed()).prefix { $0 == $1 }.map(\.0).reversed())
      let best = common.best == branch.best ? common.best : []
      common = LiteralFacts(whole: nil, head: head, tail: tail, best: longest([head, tail, best]))
    }
    return common
  }

  /// This any number of times, but once.
  var atLeastOnce: LiteralFacts { LiteralFacts(whole: nil, head: head, tail: tail, best: best) }

  private static func longest(_ strings: [[UInt8]]) -> [UInt8] { strings.max { $0.count < $1.count } ?? [] }
}
