import ArgumentParser
import Concordance

struct EvalFuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse",
    abstract: "Combine runs into one.",
    // The option --run is optional in the group that `concord eval` shares.
    usage: "concord eval fuse [<options>] <run> ... --run <file>",
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
