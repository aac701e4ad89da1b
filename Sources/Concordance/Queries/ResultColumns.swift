/// The names of the columns of a result, with their positions.
final class ResultColumns: Sendable {
  let names: [String]
  let positions: [String: Int]

  init(_ names: [String]) {
    self.names = names
    positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
