import Foundation
import JSONText
import QueryModel

extension QueryFunctions {
  /// Distances between two vectors, which are arrays of numbers with the same length. All other arguments give MISSING,
  /// as in Couchbase Lite.
  static let vectorFunctions: [ScalarFunction] =
    [
      // A third argument raises the distance to a power. The square of the distance is computed without a square root.
      ScalarFunction(.euclideanDistance) { arguments in
        guard let (one, other) = vectors(arguments) else { return .missing }
        let square = zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        guard arguments.count > 2 else { return finite(square.squareRoot()) }
        guard let power = arguments[2].number else { return .missing }
        return finite(power == 2 ? square : pow(square.squareRoot(), power))
      },
      // 1 minus the cosine of the angle between the vectors: 0 for the same direction, 2 for opposite directions,
      // MISSING if a vector is zero.
      ScalarFunction(.cosineDistance) { arguments in
        guard let (one, other) = vectors(arguments) else { return .missing }
        let lengths = (product(one, one) * product(other, other)).squareRoot()
        return lengths == 0 ? .missing : finite(1 - product(one, other) / lengths)
      },
    ]

  private static func vectors(_ arguments: [QueryValue]) -> ([Double], [Double])? {
    guard let one = vector(arguments[0]), let other = vector(arguments[1]), one.count == other.count else { return nil }
    return (one, other)
  }

  private static func vector(_ value: QueryValue) -> [Double]? {
    guard case .array(let elements) = value else { return nil }
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard let number = QueryValue(element).number else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func product(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private static func finite(_ number: Double) -> QueryValue { number.isFinite ? .double(number) : .missing }
}
