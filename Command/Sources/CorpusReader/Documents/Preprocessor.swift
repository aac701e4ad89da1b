import Foundation
import Synchronization

/// A program that converts the files that match a glob to text, as with ripgrep's `--pre`.
///
/// ```swift
/// options.preprocessors = [try Preprocessor("*.djvu=djvutxt")]
/// ```
///
/// The shell runs the command with the absolute path of the file as its last argument and the file as its standard
/// input. Its standard output is the text of the file.
public struct Preprocessor: Sendable, Hashable {
  /// The glob that selects the files, with the syntax of ``PathGlobs``.
  public let glob: String
  /// The shell command.
  public let command: String

  /// The error for an argument that does not have the form `glob=command`.
  public struct Malformed: Error, Sendable {}

  /// Parses `glob=command`.
  ///
  /// - Throws: ``Malformed``.
  public init(_ text: String) throws {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { throw Malformed() }
    glob = String(text[..<equals])
    command = String(text[text.index(after: equals)...])
    guard command.contains(where: { !$0.isWhitespace }), !command.utf8.contains(0), !glob.hasPrefix("!") else {
      throw Malformed()
    }
  }

  /// A string that changes if the command changes.
  var fingerprint: String {
    // FNV-1a: unlike the hashes of the standard library, it is the same in every run.
    let hash = command.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return "pre:" + String(hash, radix: 16)
  }

  /// The process group of the running command; 0 for none. A signal handler reads it.
  private static let runningGroup = Atomic<Int32>(0)

  /// Whether a command is being started: it may already run although its process group is not known yet.
  private static let isStarting = Atomic(false)

  /// Kills the running command. Only async-signal-safe functions are called, because a signal handler calls it.
  package static func endCommand() {
    // The thread that starts the command blocks signals, so this is another one.
    while isStarting.load(ordering: .acquiring) { poll(nil, 0, 1) }
    let group = runningGroup.exchange(0, ordering: .relaxed)
    if group > 0 { kill(-group, SIGKILL) }
  }

  /// The time limit of a command in seconds.
  private static let maximumTime = 60

  /// Runs the command for a file, and appends its output to a buffer.
  ///
  /// - Parameters:
  ///   - allowsPipe: whether the walk reported the file as a pipe.
  ///   - limit: the maximum size of the text in bytes. Reading stops as soon as the buffer exceeds it; the caller
  ///     reports this.
  ///   - seconds: the time limit.
  /// - Throws: ``UndecodableText`` if the file cannot be opened, or if the command cannot be started, fails, or takes
  ///   too long.
  func run(
    path: String, allowsPipe: Bool = false, into buffer: ByteBuffer, limit: Int, seconds: Int = maximumTime
  ) throws {
    let file: Int32
    do {
      file = try FileSystem.openForReading(path, allowsPipe: allowsPipe)
    } catch let fault as SystemError {
      throw unavailable(fault)
    }
    defer { close(file) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw unavailable(.last) }
    let (output, input) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(output) }
    let process: pid_t
    do {
      defer { close(input) }
      process = try Preprocessor.blockingSignals { try start(path: path, input: file, output: input) }
    }
    defer { Preprocessor.runningGroup.store(0, ordering: .relaxed) }
    var status: Int32 = 0
    var isRunning = true
    defer {
      if isRunning {
        kill(-process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
    }
    let deadline = SuspendingClock.now.advanced(by: .seconds(seconds))
    /// Returns the remaining time in milliseconds.
    func remainingTime() throws -> Double {
      let left = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
      // The machine may be overloaded, so the file must keep its documents.
      guard left > 0 else { throw failure("took more than \(seconds) s", .unreadable) }
      return left
    }
    while true {
      // The caller reports the size; the defer statement ends the command.
      guard buffer.count <= limit else { return }
      var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, Int32(min(try remainingTime() + 1, 1e6))) <= 0 { continue }
      if try buffer.append(from: .plain(output), atMost: 64 << 10) == 0 { break }
    }
    // A command may close its output and continue to run.
    var pause: UInt32 = 500
    while true {
      let result = waitpid(process, &status, WNOHANG)
      if result == process { break }
      guard result == 0 || errno == EINTR else { throw failure("cannot be waited for: \(SystemError.last.reason)") }
      _ = try remainingTime()
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    isRunning = false
    guard status == 0 else {
      throw failure(
        status & 0x7F == 0 ? "failed with status \(status >> 8 & 0xFF)" : "was terminated by signal \(status & 0x7F)")
    }
  }

  /// Starts a command and sets ``runningGroup``, while this thread blocks signals, whose handlers may end the command.
  private static func blockingSignals(_ start: () throws -> pid_t) rethrows -> pid_t {
    var signals = sigset_t()
    var previous = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    isStarting.store(true, ordering: .releasing)
    defer {
      isStarting.store(false, ordering: .releasing)
      pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
    let process = try start()
    runningGroup.store(process, ordering: .relaxed)
    return process
  }

  private func start(path: String, input: Int32, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // A separate process group, so that the programs that the shell starts are killed with it.
    posix_spawnattr_setpgroup(&attributes, 0)
    // Programs expect the default actions of the signals that this process ignores, and no blocked signals.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGXFSZ, SIGINT] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let texts: [String] = ["sh", "-c", command + " \"$1\"", "sh", path]
    var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
    guard code == 0 else { throw unavailable(SystemError(code: code)) }
    return process
  }

  /// Returns the error for a command that was not started, or whose file cannot be opened. The next run tries it again.
  private func unavailable(_ error: SystemError) -> UndecodableText {
    UndecodableText(kind: .unreadable, reason: "the command \"\(command)\" cannot be started: \(error.reason)")
  }

  private func failure(
    _ reason: String, _ kind: CorpusProblem.Kind = .notExtracted("that --pre did not convert")
  ) -> UndecodableText {
    UndecodableText(kind: kind, reason: "the command \"\(command)\" \(reason)")
  }
}
