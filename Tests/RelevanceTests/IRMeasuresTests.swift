import Foundation
import Testing

@testable import Relevance

/// Compares random runs with ir_measures, if Python can import it: `pip install ir_measures cwl-eval`.
/// `CONCORDANCE_PYTHON` names another interpreter.
@Suite struct IRMeasuresTests {
  private static let names = [
    "AP", "AP@10", "AP(rel=2)", "nDCG", "nDCG@10", "P@5", "P(rel=2)@10", "R@10", "RR", "RR@10", "Rprec", "Success@5",
    "Bpref", "infAP", "IPrec@0.1", "IPrec@1.0", "Judged@10", "SetP", "SetR", "SetF", "SetF(beta=2.0)", "SetAP",
    "NumRet", "NumRel", "Compat(p=0.8)", "P(judged_only=True)@5",
  ]

  private static let script = """
    import sys, ir_measures as ir
    qrels, run = list(ir.read_trec_qrels(sys.argv[1])), list(ir.read_trec_run(sys.argv[2]))
    for name in sys.argv[3:]:
        print(repr(float(list(ir.calc_aggregate([ir.parse_measure(name)], qrels, run).values())[0])))
    """

  private static let python = ProcessInfo.processInfo.environment["CONCORDANCE_PYTHON"] ?? "python3"

  private static func run(_ arguments: [String]) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  private static let isInstalled = (try? run(["-c", "import ir_measures, pytrec_eval"])) ?? nil != nil

  @Test(
    .enabled(if: isInstalled, "Python cannot import ir_measures; name an interpreter that can in CONCORDANCE_PYTHON"),
    arguments: 1...6)
  func randomRunsHaveTheValuesOfIRMeasures(seed: Int) throws {
    var generator = Xorshift(state: UInt64(seed) &* 0x9e37_79b9)
    func random(_ limit: Int) -> Int { Int(generator.next() >> 33) % limit }
    var (qrels, run) = ("", "")
    for query in 1...5 {
      for document in 0..<40 {
        if random(2) == 0 { qrels += "\(query) 0 d\(document) \(random(4))\n" }
        // Few distinct scores, of which some are negative: hits have equal scores, and 0, the score of documents that
        // the run does not contain, is not the lowest.
        if random(3) > 0, query != 5 { run += "\(query) Q0 d\(document) 0 \(random(8) - 3) t\n" }
      }
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("measures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = (folder.appendingPathComponent("qrels"), folder.appendingPathComponent("run"))
    try Data(qrels.utf8).write(to: files.0)
    try Data(run.utf8).write(to: files.1)
    let output = try #require(
      try IRMeasuresTests.run(["-c", IRMeasuresTests.script, files.0.path, files.1.path] + IRMeasuresTests.names))
    let expected = output.split(separator: "\n").compactMap { Double($0) }
    let measured = MeasuredRun(
      try EvaluationRun(trecRun: run, name: "run"), by: try RelevanceJudgements(qrels: qrels, name: "qrels"),
      try IRMeasuresTests.names.map { try Measure(name: $0) })
    #expect(expected.count == IRMeasuresTests.names.count)
    for (name, (value, expected)) in zip(IRMeasuresTests.names, zip(measured.means, expected)) {
      #expect(abs(value - expected) < 1e-12, "\(name)")
    }
  }
}
