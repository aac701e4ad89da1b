import TestSupport

/// A source of choices that a seed repeats.
struct RandomChoices {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// One of some values.
  mutating func one<T>(of values: some RandomAccessCollection<T>) -> T {
    values[values.index(values.startIndex, offsetBy: number(0..<values.count))]
  }

  /// A number in a range that is not empty.
  ///
  /// The few numbers asked for here come up nearly as often as others do; `Int.random(in:using:)` is slow in debug builds.
  mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(generator.next() % UInt64(range.count))
  }

  /// A number in a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { number(range.lowerBound..<range.upperBound + 1) }

  /// True once in this many times.
  mutating func chance(_ oneIn: Int) -> Bool { number(0..<oneIn) == 0 }

  /// The values in another order.
  mutating func shuffled<T>(_ values: [T]) -> [T] { values.shuffled(using: &generator) }
}
