import ArgumentParser
import Concordance

struct EvalFuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse",
    abstract: "Combine runs into one.",
    discussion: """
      Reads runs in TREC's format and writes a run with the combined hits of each query. No database is needed.

        $ concord eval fuse bm25.run rm3.run --run fused.run
        $ concord eval fuse bm25.run rm3.run --method sum --weights 1,0.5 \\
            --run fused.run

      Methods: rrf, reciprocal rank fusion with k = 60; sum, the sum of the scores, normalized per query from 0 to 1; \
      mnz, this sum times the number of runs with the document.

      Exit status: 0 done, 2 error.
      """)

  @Argument(help: ArgumentHelp("The runs.", valueName: "run"), completion: .file())
  var runs: [String]

  @Option(help: ArgumentHelp("rrf, sum or mnz.", valueName: "method"))
  var method = FusionMethod.rrf

  @Option(
    help: ArgumentHelp("The factors of the runs, separated by commas.", valueName: "numbers"),
    transform: NumberList.init(parsing:))
  var weights: NumberList?

  @OptionGroup
  var output: RunOptions

  @OptionGroup
  var global: GlobalOptions

  func validate() throws {
    if runs.count < 2 { throw ValidationError("Name at least two runs.") }
    if let weights, weights.numbers.count != runs.count {
      throw ValidationError("--weights takes a number for each of the \(runs.count) runs.")
    }
    if output.runFile == nil { throw ValidationError("Missing expected argument '--run <file>'") }
  }

  func run() throws {
    if let path = output.runFile { try PlotOptions.requireWritable(path) }
    let parsed = try runs.map { try EvaluationRun(parsing: InputText.read($0), name: $0) }
    let fused = method.fusion.fused(parsed, weights: weights?.numbers ?? [], depth: output.depth)
    if let path = output.runFile { try output.write(fused, to: path, defaultTag: "fused") }
  }
}

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

/// The factors of rankings as an argument: `1,0.5`.
struct NumberList {
  let numbers: [Double]

  /// - Throws: `ValidationError` for a factor that is negative or not a number, or if no factor is positive.
  init(parsing argument: String) throws {
    numbers = try argument.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, text in
      guard let number = Double(text), number.isFinite, number >= 0 else {
        throw ValidationError("Factor \(index + 1), \"\(text)\", must be a number of 0 or more, as in 1,0.5.")
      }
      return number
    }
    if numbers.allSatisfy({ $0 == 0 }) { throw ValidationError("At least one factor must be greater than 0.") }
  }
}
