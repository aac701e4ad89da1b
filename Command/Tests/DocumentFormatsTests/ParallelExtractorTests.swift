import DocumentFormats
import Foundation
import Testing

/// Files that several workers extract at the same time.
@Suite(.timeLimit(.minutes(10))) struct ParallelExtractorTests {
  private static func requests(_ count: Int) -> [ExtractionRequest] {
    (0..<count).map { ExtractionRequest(path: "\($0)", name: "\($0).pdf", limits: ExtractionLimits()) }
  }

  /// Returns the texts of the parts of each file, and the failures, in the order in which they are passed.
  private static func extract(_ requests: [ExtractionRequest], _ extractor: ParallelExtractor) -> [String] {
    var lines: [String] = []
    extractor.prepare(requests)
    for request in requests {
      do {
        try extractor.extract(path: request.path, name: request.name, limits: request.limits) {
          lines.append("\($0.member) \($0.content.count)")
        } failure: {
          lines.append($0.description)
        }
      } catch {
        lines.append("\(request.path): \(error)")
      }
    }
    return lines
  }

  /// Neither of the first two files ends before the other one has begun.
  @Test func twoFilesAreExtractedAtTheSameTime() {
    let begun = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let extractor = ParallelExtractor(workerCount: 2) {
      FakeExtractor { path, body, _ in
        if path == "0" {
          begun.0.signal()
          begun.1.wait()
        } else if path == "1" {
          begun.1.signal()
          begun.0.wait()
        }
        try body(ExtractedPart(member: path, content: [1]))
      }
    }
    #expect(ParallelExtractorTests.extract(ParallelExtractorTests.requests(3), extractor) == ["0 1", "1 1", "2 1"])
  }

  @Test(arguments: [1, 2, 4]) func theOrderDoesNotDependOnTheNumberOfWorkers(workerCount: Int) {
    let extractor = ParallelExtractor(workerCount: workerCount) {
      FakeExtractor { path, body, failure in
        let number = Int(path) ?? 0
        for part in 0..<(number * 7 % 5) {
          try body(ExtractedPart(member: "\(path)/\(part)", content: [UInt8](repeating: 0, count: part)))
        }
        if number % 3 == 0 { failure(ExtractionFailure(.damaged, member: path, "damaged")) }
        if number % 4 == 1 { throw ExtractionFailure(.crashed, "crashed") }
      }
    }
    let expected = (0..<40).flatMap { number -> [String] in
      (0..<(number * 7 % 5)).map { "\(number)/\($0) \($0)" } + (number % 3 == 0 ? ["\(number): damaged"] : [])
        + (number % 4 == 1 ? ["\(number): crashed"] : [])
    }
    #expect(ParallelExtractorTests.extract(ParallelExtractorTests.requests(40), extractor) == expected)
  }

  /// The second file alone has 200 MiB.
  @Test func partsThatWaitAreBounded() {
    let (size, waiting) = (1 << 20, Counter())
    let extractor = ParallelExtractor(workerCount: 3) {
      FakeExtractor { path, body, _ in
        for _ in 0..<(path == "1" ? 200 : 20) {
          waiting.add(1)
          try body(ExtractedPart(member: path, content: [UInt8](repeating: 0, count: size)))
        }
      }
    }
    let requests = ParallelExtractorTests.requests(6)
    extractor.prepare(requests)
    var count = 0
    for request in requests {
      try? extractor.extract(path: request.path, name: request.name, limits: request.limits) { _ in
        count += 1
        waiting.add(-1)
      } failure: { _ in
      }
    }
    #expect(count == 300)
    // 32 parts of the queue, one that the reader waited for, and one of each worker.
    #expect(waiting.maximum <= 32 + 1 + 3, "\(waiting.maximum)")
  }

  @Test func aFileThatIsNotReadToItsEndDoesNotAffectTheNext() throws {
    struct Stop: Error {}
    let extractor = ParallelExtractor(workerCount: 2) {
      FakeExtractor { path, body, _ in
        for part in 0..<100 { try body(ExtractedPart(member: "\(path)/\(part)", content: [0])) }
      }
    }
    let requests = ParallelExtractorTests.requests(4)
    extractor.prepare(requests)
    for request in requests.dropFirst() {
      var members: [String] = []
      #expect(throws: Stop.self) {
        try extractor.extract(path: request.path, name: request.name, limits: request.limits) {
          members.append($0.member)
          if members.count == 2 { throw Stop() }
        } failure: { _ in
        }
      }
      #expect(members == ["\(request.path)/0", "\(request.path)/1"])
    }
  }

  @Test func workersEndWhenTheExtractorIsReleased() {
    let ended = DispatchSemaphore(value: 0)
    var extractor: ParallelExtractor? = ParallelExtractor(workerCount: 2) {
      FakeExtractor(ended) { path, body, _ in
        while true { try body(ExtractedPart(member: path, content: [UInt8](repeating: 0, count: 1 << 20))) }
      }
    }
    extractor?.prepare(ParallelExtractorTests.requests(3))
    extractor = nil
    for _ in 0..<2 { ended.wait() }
  }

  /// Each file crashes its own worker process.
  @Test func crashesOfWorkersAreFailuresOfTheirFiles() throws {
    let extractor = ParallelExtractor(workerCount: 2) {
      WorkerExtractor(executable: "/bin/false", arguments: ["false"])
    }
    let lines = ParallelExtractorTests.extract(ParallelExtractorTests.requests(5), extractor)
    #expect(lines.count == 5)
    for (number, line) in lines.enumerated() { #expect(line.hasPrefix("\(number): the extractor "), "\(line)") }
  }
}

/// An extractor whose result is computed from the path.
private final class FakeExtractor: DocumentExtracting {
  typealias Body = @Sendable (String, (ExtractedPart) throws -> Void, (ExtractionFailure) -> Void) throws -> Void

  private let extract: Body
  private let ended: DispatchSemaphore?

  init(_ ended: DispatchSemaphore? = nil, _ extract: @escaping Body) { (self.ended, self.extract) = (ended, extract) }

  deinit { ended?.signal() }

  func extract(
    path: String, name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try extract(path, body, failure)
  }

  func extract(
    content: [UInt8], name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try extract(name, body, failure)
  }
}

/// A number and its maximum so far.
///
/// `@unchecked Sendable`: both are accessed only under `lock`.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  private var highest = 0

  var maximum: Int { lock.withLock { highest } }

  func add(_ difference: Int) {
    lock.withLock {
      value += difference
      highest = max(highest, value)
    }
  }
}
