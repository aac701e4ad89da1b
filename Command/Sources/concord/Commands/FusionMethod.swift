import ArgumentParser
import Concordance

/// A method of fusion as an argument.
enum FusionMethod: String, ExpressibleByArgument, CaseIterable {
  case rrf, sum, mnz

  var fusion: RunFusion {
    switch self {
    case .rrf: .reciprocalRank()
    case .sum: .scoreSum
    case .mnz: .scoreSumTimesCount
    }
  }
}
