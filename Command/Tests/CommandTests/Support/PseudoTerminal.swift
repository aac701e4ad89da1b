import Foundation

/// Runs `concord` with a terminal as its standard output, or as its standard error.
enum PseudoTerminal {
  struct Unavailable: Error {}

  /// - Parameters:
  ///   - showsMessages: whether the terminal is the standard error.
  ///   - input: the standard input, which is not closed before the process has ended; nil for an empty one.
  ///   - mark: an output after which SIGINT is sent; nil for none.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = ["TERM": "xterm"],
    width: UInt16 = 80, showsMessages: Bool = false, input: String? = nil, interruptedAfter mark: String? = nil
  ) throws -> String {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // posix_openpt(3) and related functions are not in the Glibc module; these are the system calls that they make.
    var isLocked: CInt = 0
    var number: CUnsignedInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431 as UInt, &isLocked) == 0,
      ioctl(master, 0x8004_5430 as UInt, &number) == 0
    else { throw Unavailable() }
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Unavailable() }
    let process = ConcordProcess.prepare(ConcordProcess.path, arguments, in: folder, environment: environment)
    var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw Unavailable() }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardOutput = showsMessages ? FileHandle.nullDevice : terminal
    process.standardError = showsMessages ? terminal : FileHandle.nullDevice
    let pipe = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : pipe
    try process.run()
    // Then reading ends when the process has ended.
    close(slave)
    if let input { try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    var output = Data()
    var block = [UInt8](repeating: 0, count: 4096)
    func readBlock() -> Bool {
      let count = read(master, &block, block.count)
      output.append(contentsOf: block[..<max(count, 0)])
      return count > 0
    }
    if let mark {
      while !String(decoding: output, as: UTF8.self).contains(mark), readBlock() {}
      process.interrupt()
    }
    // A terminal buffers a few kilobytes, more than these tests print.
    process.waitUntilExit()
    while readBlock() {}
    close(master)
    return withExtendedLifetime(pipe) { String(decoding: output, as: UTF8.self) }
  }
}
