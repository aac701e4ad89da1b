import JSONText
import TextAnalysis

/// Compares JSON values by the rules of views, without sort keys.
struct ValueComparison {
  private let collator: Collator

  init() throws { collator = try Collator(CollationOptions(isUnicode: true)) }

  func compare(_ one: JSONValue, _ other: JSONValue) -> Int {
    let difference = rank(one) - rank(other)
    guard difference == 0 else { return difference }
    switch (one, other) {
    case (.string(let first), .string(let second)): return collator.compare(first, second)
    case (.array(let first), .array(let second)): return compare(first, second)
    case (.object(let first), .object(let second)):
      return compare(
        first.flatMap { [.string($0.key), $0.value] }, second.flatMap { [.string($0.key), $0.value] })
    default: return compareNumbers(one, other)
    }
  }

  private func compare(_ one: [JSONValue], _ other: [JSONValue]) -> Int {
    for (first, second) in zip(one, other) {
      let difference = compare(first, second)
      if difference != 0 { return difference }
    }
    return one.count - other.count
  }

  private func compareNumbers(_ one: JSONValue, _ other: JSONValue) -> Int {
    switch (integer(one), integer(other)) {
    case (let first?, let second?): return first < second ? -1 : first > second ? 1 : 0
    case (let first?, nil): return -compare(double(other), first)
    case (nil, let second?): return compare(double(one), second)
    case (nil, nil): return double(one) < double(other) ? -1 : double(one) > double(other) ? 1 : 0
    }
  }

  private func compare(_ double: Double, _ integer: Int128) -> Int {
    let floor = double.rounded(.down)
    let whole = Int128(floor)
    if whole != integer { return whole < integer ? -1 : 1 }
    return floor < double ? 1 : 0
  }

  private func integer(_ value: JSONValue) -> Int128? {
    switch value {
    case .int64(let number): Int128(number)
    case .uint64(let number): Int128(number)
    default: nil
    }
  }

  private func double(_ value: JSONValue) -> Double { if case .double(let number) = value { number } else { 0 } }

  private func rank(_ value: JSONValue) -> Int {
    switch value {
    case .null: 0
    case .boolean(let boolean): boolean ? 2 : 1
    case .int64, .uint64, .double: 3
    case .string: 4
    case .array: 5
    case .object: 6
    }
  }
}
