import Foundation
import Testing

@Suite struct SourceTests {
  /// A file this long holds more than one thing. The size to aim at is 150 lines.
  private static let maximumLineCount = 800

  @Test func noSourceFileIsTooLong() throws {
    for path in Repository.sources.flatMap({ Repository.files(in: $0, ending: ".swift") }) {
      let count = try Repository.text(path).components(separatedBy: "\n").count
      #expect(count <= SourceTests.maximumLineCount, "\(path) has \(count) lines")
    }
  }

  /// What would end the program where an error could have been thrown.
  @Test func nothingInSourcesEndsTheProgram() throws {
    for path in Repository.sources.flatMap({ Repository.files(in: $0, ending: ".swift") }) {
      for (index, line) in try SourceLines(path).code.enumerated() {
        guard let fault = SourceTests.fault(in: line) else { continue }
        let isAllowed = fault == "precondition" && SourceTests.preconditions.contains(path)
        #expect(
          isAllowed, "\(path):\(index + 1): \(fault); throw an error, or give the reason in SourceTests")
      }
    }
  }

  @Test(arguments: [
    ("let x = try! f()", "try!"), ("x as! Int", "as!"), ("let y = x!", "force unwrap"),
    ("x!.count", "force unwrap"),
    ("a[0]! + f()!", "force unwrap"), ("fatalError()", "fatalError"), ("precondition(x > 0)", "precondition"),
    ("guard let x else { preconditionFailure() }", "precondition"),
  ]) func theScanFinds(line: String, fault: String) {
    #expect(SourceTests.fault(in: line) == fault)
  }

  @Test(arguments: [
    "if !x { y != z }", "a !== b", "try f()", "func precondition(x: Int)", "control.precondition(x)",
  ])
  func theScanLeaves(line: String) {
    #expect(SourceTests.fault(in: line) == nil)
  }

  private static func fault(in line: String) -> String? {
    if line.contains("fatalError(") { return "fatalError" }
    if line.contains("precondition"), line.contains(/\bprecondition(Failure)?\(/),
      !line.contains("func precondition"), !line.contains(".precondition(")
    {
      return "precondition"
    }
    guard line.contains("!") else { return nil }
    if line.contains("try!") { return "try!" }
    if line.contains("as!") { return "as!" }
    return line.contains(/[\w)\]]!(?:[\s.,;:)\]?\[]|$)/) ? "force unwrap" : nil
  }

  /// Files that may end the program, and why: ICU and Snowball fail to open only when memory is short, after
  /// `Analyzer.init` opened the same once and threw what can be thrown. A tokenizer's loop has no use for an error
  /// then.
  private static let preconditions: Set = [
    "Sources/TextAnalysis/Tokenizer/Tokenizer+Complex.swift",
    "Sources/TextAnalysis/Stemming/Stemmer.swift",
  ]

  /// A program that uses the library does not have the commands of `concord`; the command adds them to messages.
  @Test func messagesOfTheLibraryNameNoCommand() throws {
    for path in Repository.files(in: "Sources", ending: ".swift") {
      for line in try Repository.text(path).split(separator: "\n") where line.contains("`concord ") {
        let start = line.drop { $0 == " " }
        #expect(start.hasPrefix("//"), "\(path): \(start)")
      }
    }
  }

  /// Each type that promises to be safe by itself says which lock or queue keeps the promise.
  @Test func everyUncheckedSendableSaysWhy() throws {
    for path in Repository.sources.flatMap({ Repository.files(in: $0, ending: ".swift") }) {
      let lines = try Repository.text(path).components(separatedBy: "\n")
      for (index, line) in lines.enumerated()
      where line.contains("@unchecked Sendable") && !line.contains("///") {
        let comment = lines[..<index].suffix(while: { $0.hasPrefix("///") })
        #expect(
          comment.contains { $0.contains(/\b(lock|locks|queue|condition)\b/) },
          "\(path):\(index + 1): say in its comment what protects it")
      }
    }
  }
}

extension RandomAccessCollection where Self: BidirectionalCollection {
  /// The longest run at the end whose elements all satisfy a condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
