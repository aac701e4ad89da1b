@testable import DocumentFormats
import Foundation
import Testing

/// Workers that end, send too much or do not answer. A shell script is the worker.
@Suite(.timeLimit(.minutes(10))) struct WorkerFaultTests {
  private static func worker(_ script: String) -> WorkerExtractor {
    WorkerExtractor(executable: "/bin/sh", arguments: ["sh", "-c", script])
  }

  /// Returns the shell commands that send messages.
  private static func sending(_ messages: [WorkerMessage]) -> String {
    let octal = messages.flatMap(\.encoded).map {
      "\\" + String(repeating: "0", count: 3 - String($0, radix: 8).count) + String($0, radix: 8)
    }
    return "printf '\(octal.joined())' >&0"
  }

  /// Returns the shell commands that receive the request for an empty file.
  private static func receiving() -> String {
    "head -c \(WorkerMessage.content([], name: "a.rtf", ExtractionLimits()).encoded.count) > /dev/null"
  }

  private static func extract(
    _ worker: WorkerExtractor, _ content: [UInt8] = [], limits: ExtractionLimits = ExtractionLimits()
  ) -> (texts: [String], fault: ExtractionFailure?) {
    var texts: [String] = []
    do {
      try worker.extract(content: content, name: "a.rtf", limits: limits) {
        texts.append(String(decoding: $0.content, as: UTF8.self))
      } failure: { _ in
      }
    } catch {
      return (texts, error as? ExtractionFailure ?? ExtractionFailure(.crashed, "\(error)"))
    }
    return (texts, nil)
  }

  private static func part(_ text: String) -> WorkerMessage { WorkerMessage(ExtractedPart(content: Array(text.utf8))) }

  @Test func anExtractorThatCannotBeStartedIsUnavailable() {
    let worker = WorkerExtractor(executable: "/nonexistent", arguments: ["x"])
    #expect(WorkerFaultTests.extract(worker).fault?.kind == .unavailable)
  }

  @Test(arguments: [("KILL", ExtractionFailure.Kind.unavailable), ("TERM", .unavailable), ("SEGV", .crashed)])
  func aSignalFromOutsideIsNotACrash(signal: String, kind: ExtractionFailure.Kind) {
    #expect(WorkerFaultTests.extract(WorkerFaultTests.worker("kill -\(signal) $$")).fault?.kind == kind)
  }

  /// The first process extracts one file and then exits while it extracts the second, after its first part.
  @Test func theCrashOfAReusedProcessIsNotAFailureOfTheNextFile() throws {
    let marker = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: marker) }
    let (first, second, end) = (WorkerFaultTests.part("1"), WorkerFaultTests.part("2"), WorkerMessage(.end, []))
    let worker = WorkerFaultTests.worker(
      """
      \(WorkerFaultTests.receiving()); \(WorkerFaultTests.sending([first, second, end]))
      [ -e '\(marker)' ] && exec sleep 1000
      : > '\(marker)'
      \(WorkerFaultTests.receiving()); \(WorkerFaultTests.sending([first])); exit 1
      """)
    for _ in 0..<2 {
      let result = WorkerFaultTests.extract(worker)
      #expect(result.texts == ["1", "2"] && result.fault == nil)
    }
  }

  /// Each process exits while it extracts its second file; the file `marker` also makes the second exit at its first.
  @Test func aFileThatCrashesTwoProcessesIsACrash() throws {
    let marker = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: marker) }
    let worker = WorkerFaultTests.worker(
      """
      [ -e '\(marker)' ] && exit 7
      : > '\(marker)'
      \(WorkerFaultTests.receiving()); \(WorkerFaultTests.sending([WorkerMessage(.end, [])]))
      \(WorkerFaultTests.receiving()); exit 1
      """)
    #expect(WorkerFaultTests.extract(worker).fault == nil)
    let fault = WorkerFaultTests.extract(worker).fault
    #expect(fault?.kind == .crashed && fault?.reason == "the extractor exited with status 7")
  }

  @Test func aWorkerThatDoesNotReadIsStopped() {
    var limits = ExtractionLimits()
    limits.seconds = 1
    let worker = WorkerExtractor(executable: "/bin/sleep", arguments: ["sleep", "1000"])
    let content = [UInt8](repeating: 0, count: 16 << 20)
    #expect(WorkerFaultTests.extract(worker, content, limits: limits).fault?.kind == .unavailable)
  }

  @Test func onlyTheLimitOnProcessorTimeIsATimeout() {
    let fault = WorkerFaultTests.extract(WorkerFaultTests.worker("kill -XCPU $$")).fault
    #expect(fault?.kind == .timedOut && fault?.reason == "not extracted within 60 s of processor time")
  }

  @Test func theNumberOfPartsIsLimited() {
    var limits = ExtractionLimits()
    limits.outputCount = 100
    let worker = WorkerFaultTests.worker("while :; do \(WorkerFaultTests.sending([WorkerFaultTests.part("x")])); done")
    let result = WorkerFaultTests.extract(worker, limits: limits)
    #expect(result.texts.count == 100 && result.fault?.kind == .tooLarge)
  }

  @Test func theSizeOfPartsIsLimited() {
    var limits = ExtractionLimits()
    limits.outputSize = 100
    let worker = WorkerFaultTests.worker("while :; do \(WorkerFaultTests.sending([WorkerFaultTests.part("x")])); done")
    let result = WorkerFaultTests.extract(worker, limits: limits)
    #expect(result.texts.count == 2 && result.fault?.kind == .tooLarge)
  }
}
