import Foundation

/// A process with files as its standard streams, created with posix_spawn(3).
///
/// Foundation's `Process` closes its descriptors late, and crashes when it lists more than a thousand of them, which
/// parallel tests open.
struct ChildProcess {
  struct Failure: Error { let code: Int32 }

  private let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - streams: the descriptors of the standard input, output and error.
  ///   - folder: the working directory.
  init(_ path: String, _ arguments: [String], environment: [String: String], streams: [Int32], in folder: String) throws
  {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(number)) }
    // Threads of the test runner block signals, and the child would inherit their signal mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // env(1) changes the folder and becomes the program. Glibc's function for it is not visible in Swift.
    let env = "/usr/bin/env"
    var arguments = ([env, "-C", folder, path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var id = pid_t()
    let code = posix_spawn(&id, env, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw Failure(code: code) }
    self.id = id
  }

  /// Waits until the process exits, and kills it after a time limit.
  ///
  /// - Parameter limit: the time limit in seconds.
  /// - Returns: the status of waitpid(2), and whether the process ended within the limit.
  func wait(limit: Double) throws -> (status: Int32, isInTime: Bool) {
    let deadline = ContinuousClock.now + .seconds(limit)
    var status: Int32 = 0
    var isInTime = true
    while true {
      let ended = waitpid(id, &status, isInTime ? WNOHANG : 0)
      if ended == id { return (status, isInTime) }
      if ended < 0, errno != EINTR { throw Failure(code: errno) }
      if isInTime, ContinuousClock.now > deadline {
        isInTime = false
        kill(id, SIGKILL)
      }
      if isInTime { usleep(2000) }
    }
  }
}

/// A file without a name that exists until it is closed.
final class UnnamedFile {
  let descriptor: Int32

  init(containing text: String = "") throws {
    var path = Array((NSTemporaryDirectory() + "/concord-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw ChildProcess.Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(text.utf8))
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

  /// The whole content, repaired to UTF-8.
  func text() throws -> String {
    lseek(descriptor, 0, SEEK_SET)
    let data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
