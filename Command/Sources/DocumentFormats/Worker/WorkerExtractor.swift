import CSandbox
import Foundation

/// Extracts files in a child process, which is started for the first file. If a file crashes the process, exceeds its
/// memory limit or takes too long, only that file fails: the next file gets a new process. A file that crashes a
/// process that extracted other files before is extracted once more in a new process. A file that used too much
/// processor time has timed out; one that only took too long may be extracted later.
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
    var output = WorkerOutput(limits)
    let isReused = child != nil
    do {
      do {
        try exchange(request, &output, body: body, failure: failure)
      } catch is Crash where isReused {
        // An earlier file may have damaged the memory of the process, or used it up.
        output.beginRepetition()
        try exchange(request, &output, body: body, failure: failure)
      }
    } catch let crash as Crash {
      throw crash.failure
    }
  }

  /// A failure that another process may not have.
  private struct Crash: Error {
    let failure: ExtractionFailure

    init(_ reason: String, _ kind: ExtractionFailure.Kind = .crashed) { failure = ExtractionFailure(kind, reason) }
  }

  /// Sends a request to the process, and passes on what it returns.
  ///
  /// - Throws: ``Crash`` if the process ended; ``ExtractionFailure`` and errors that `body` throws.
  private func exchange(
    _ request: WorkerMessage, _ output: inout WorkerOutput, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    let limits = output.limits
    fileCount += 1
    let channel = WorkerChannel(descriptor: try start())
    var isFinished = false
    // A process that has not finished a file cannot be used for the next one.
    defer { if !isFinished { stop() } }
    do {
      // The time limit applies to the worker, not to the time spent in `body`.
      var left = Duration.seconds(limits.elapsedSeconds)
      var start = SuspendingClock.now
      try channel.send(request, deadline: start.advanced(by: left))
      while true {
        let message = try channel.receive(
          maximum: WorkerMessage.maximumSize(limits), deadline: start.advanced(by: left))
        left -= start.duration(to: .now)
        switch message.kind {
        case .part:
          guard let part = message.part else { throw WorkerChannel.Fault.malformed }
          if try output.accept(message) { try body(part) }
        case .failure:
          guard let member = message.extractionFailure else { throw WorkerChannel.Fault.malformed }
          if try output.accept(message) { failure(member) }
        case .end:
          isFinished = true
          return
        case .fault:
          guard let fault = message.extractionFailure else { throw WorkerChannel.Fault.malformed }
          if fault.kind == .crashed { throw Crash(fault.reason) }
          isFinished = true
          throw fault
        case .request, .content: throw WorkerChannel.Fault.malformed
        }
        start = .now
      }
    } catch let fault as WorkerChannel.Fault {
      throw error(fault, limits)
    }
  }

  /// The signals that the system or the user sends to end a process.
  private static let outsideSignals = [SIGKILL, SIGTERM, SIGINT, SIGHUP]

  private func error(_ fault: WorkerChannel.Fault, _ limits: ExtractionLimits) -> any Error {
    switch fault {
    case .timedOut:
      // The reason may be a slow file system or an overloaded machine, so the file must keep its documents.
      return ExtractionFailure(
        .unavailable, "not extracted within \(limits.elapsedSeconds) s; the next run reads it again")
    case .malformed: return Crash("the extractor sent a malformed message")
    case .closed:
      guard let status = stop() else { return Crash("the extractor closed the connection") }
      let signal = status & 0x7F
      if signal == SIGXCPU {
        return ExtractionFailure(.timedOut, "not extracted within \(limits.seconds) s of processor time")
      }
      if WorkerExtractor.outsideSignals.contains(signal) {
        return Crash(
          "the extractor was ended by signal \(signal), perhaps because memory was exhausted", .unavailable)
      }
      let reason = signal == 0 ? "exited with status \(status >> 8 & 0xFF)" : "was terminated by signal \(signal)"
      return Crash("the extractor \(reason)")
    }
  }

  /// Starts the process unless it is running. Returns the descriptor of the connection.
  private func start() throws -> Int32 {
    if let child { return child.descriptor }
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw ExtractionFailure(.unavailable, "no connection to the extractor: \(String(cString: strerror(errno)))")
    }
    defer { close(pair[1]) }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // Without a controlling terminal, a compromised worker cannot type into it.
    posix_spawnattr_setflags(&attributes, Int16(CONCORDANCE_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK))
    // The thread may block the signal of the limit on processor time, and the worker would inherit this.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawn_file_actions_adddup2(&actions, pair[1], 0)
    // Libraries print warnings about malformed files.
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, executable, &actions, &attributes, &words, environ)
    guard error == 0 else {
      close(pair[0])
      throw ExtractionFailure(.unavailable, "the extractor cannot be started: \(String(cString: strerror(error)))")
    }
    child = (process, pair[0])
    fileCount = 1
    return pair[0]
  }

  /// Ends the process.
  ///
  /// - Returns: its wait status (waitpid(2)); nil if it was killed by this call.
  @discardableResult private func stop() -> Int32? {
    guard let child else { return nil }
    self.child = nil
    fileCount = 0
    close(child.descriptor)
    var status: Int32 = 0
    // A process that closed the connection exits on its own, and the signal that terminated it explains the failure.
    for _ in 0..<200 {
      let result = waitpid(child.process, &status, WNOHANG)
      if result == child.process { return status }
      if result < 0 && errno != EINTR { return nil }
      usleep(1000)
    }
    kill(child.process, SIGKILL)
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    return nil
  }
}
