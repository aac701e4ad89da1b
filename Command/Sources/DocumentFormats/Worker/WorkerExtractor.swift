import Foundation

/// Extracts files in a child process, which is started for the first file. If a file crashes the process, exceeds its
/// memory limit or takes too long, only that file fails: the next file gets a new process.
///
/// ```swift
/// let extractor = WorkerExtractor(executable: "/proc/self/exe", arguments: ["concord", "extract-worker"])
/// ```
///
/// Not `Sendable`: each thread needs its own.
public final class WorkerExtractor: DocumentExtracting {
  private let executable: String
  private let arguments: [String]
  private var child: (process: pid_t, descriptor: Int32)?
  private var fileCount = 0
  private var isBusy = false
  /// Extracts files while the caller is still processing a part from this extractor, such as the attachments of a
  /// message in an archive.
  private lazy var inner = WorkerExtractor(executable: executable, arguments: arguments)

  /// The number of files after which the process is replaced, which bounds the memory that libraries leak.
  private static let maximumFileCount = 500

  /// Creates an extractor without starting a process.
  ///
  /// - Parameters:
  ///   - executable: a program that calls ``WorkerProcess/run(descriptor:)``.
  ///   - arguments: its arguments, beginning with its name.
  public init(executable: String, arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  deinit { stop() }

  public func extract(
    path: String, name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try extract(.request(path: path, name: name, limits), limits, body: body, failure: failure)
  }

  public func extract(
    content: [UInt8], name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    let maximum = ExtractionLimits().partSize
    guard content.count <= maximum else {
      throw ExtractionFailure(.tooLarge, "the file has \(content.count) bytes, more than the limit of \(maximum)")
    }
    try extract(.content(content, name: name, limits), limits, body: body, failure: failure)
  }

  private func extract(
    _ request: WorkerMessage, _ limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    guard !isBusy else { return try inner.extract(request, limits, body: body, failure: failure) }
    isBusy = true
    defer { isBusy = false }
    if fileCount >= WorkerExtractor.maximumFileCount { stop() }
    fileCount += 1
    let channel = WorkerChannel(descriptor: try start())
    var isFinished = false
    // A process that has not finished a file cannot be used for the next one.
    defer { if !isFinished { stop() } }
    do {
      try channel.send(request)
      // The time limit applies to the worker, not to the time spent in `body`.
      var left = Duration.seconds(limits.seconds)
      while true {
        let start = ContinuousClock.now
        let message = try channel.receive(
          maximum: WorkerMessage.maximumSize(limits), deadline: start.advanced(by: left))
        left -= start.duration(to: .now)
        switch message.kind {
        case .part:
          guard let part = message.part else { throw WorkerChannel.Fault.malformed }
          try body(part)
        case .failure:
          guard let member = message.extractionFailure else { throw WorkerChannel.Fault.malformed }
          failure(member)
        case .end:
          isFinished = true
          return
        case .fault:
          isFinished = true
          throw message.extractionFailure ?? ExtractionFailure(.crashed, "the extractor sent a malformed message")
        case .request, .content: throw WorkerChannel.Fault.malformed
        }
      }
    } catch let fault as WorkerChannel.Fault {
      throw self.failure(fault, limits)
    }
  }

  private func failure(_ fault: WorkerChannel.Fault, _ limits: ExtractionLimits) -> ExtractionFailure {
    switch fault {
    case .timedOut: return ExtractionFailure(.timedOut, "not extracted within \(limits.seconds) s")
    case .malformed: return ExtractionFailure(.crashed, "the extractor sent a malformed message")
    case .closed:
      let status = stop()
      let signal = status & 0x7F
      if signal == SIGXCPU { return ExtractionFailure(.timedOut, "not extracted within \(limits.seconds) s") }
      let reason = signal == 0 ? "exited with status \(status >> 8 & 0xFF)" : "was terminated by signal \(signal)"
      return ExtractionFailure(.crashed, "the extractor \(reason)")
    }
  }

  /// Starts the process unless it is running. Returns the descriptor of the connection.
  private func start() throws -> Int32 {
    if let child { return child.descriptor }
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw ExtractionFailure(.crashed, "no connection to the extractor: \(String(cString: strerror(errno)))")
    }
    defer { close(pair[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pair[1], 0)
    // Libraries print warnings about malformed files.
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, executable, &actions, nil, &words, environ)
    guard error == 0 else {
      close(pair[0])
      throw ExtractionFailure(.crashed, "the extractor cannot be started: \(String(cString: strerror(error)))")
    }
    child = (process, pair[0])
    fileCount = 1
    return pair[0]
  }

  /// Ends the process.
  ///
  /// - Returns: its wait status (waitpid(2)).
  @discardableResult private func stop() -> Int32 {
    guard let child else { return 0 }
    self.child = nil
    fileCount = 0
    close(child.descriptor)
    var status: Int32 = 0
    // A process that closed the connection exits on its own, and the signal that terminated it explains the failure.
    for _ in 0..<200 {
      let result = waitpid(child.process, &status, WNOHANG)
      if result == child.process { return status }
      if result < 0 && errno != EINTR { return 0 }
      usleep(1000)
    }
    kill(child.process, SIGKILL)
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
