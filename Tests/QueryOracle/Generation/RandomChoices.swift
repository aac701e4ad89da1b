import TestSupport

/// A source of random choices that is repeatable from a seed.
struct RandomChoices {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns one of some values.
  mutating func one<T>(of values: some RandomAccessCollection<T>) -> T {
    values[values.index(values.startIndex, offsetBy: number(0..<values.count))]
  }

  /// Returns a number in a range that is not empty.
  ///
  /// The few numbers of these ranges are almost equally likely; `Int.random(in:using:)` is slow in debug builds.
  mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(generator.next() % UInt64(range.count))
  }

  /// Returns a number in a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { number(range.lowerBound..<range.upperBound + 1) }

  /// Returns true with a probability of one in `oneIn`.
  mutating func chance(_ oneIn: Int) -> Bool { number(0..<oneIn) == 0 }

  /// Returns the values in a random order.
  mutating func shuffled<T>(_ values: [T]) -> [T] { values.shuffled(using: &generator) }
}
