import CorpusReader
import Foundation

/// A temporary folder, removed when the object is freed.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("corpus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("cannot remove \(path): \(error)")
    }
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let directory = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  @discardableResult
  func write(_ name: String, _ text: String = "text\n") throws -> String { try write(name, Array(text.utf8)) }

  /// Returns the paths that a walk yields, relative to the folder, and the problems.
  func walk(
    _ roots: [String] = [""], _ options: CorpusOptions = CorpusOptions()
  ) throws -> (paths: [String], problems: [CorpusProblem]) {
    var paths: [String] = []
    var problems: [CorpusProblem] = []
    let absolute = roots.map { $0.isEmpty ? path : path + "/" + $0 }
    try CorpusWalker(paths: absolute, options: options).walk {
      paths.append(String($0.path.dropFirst(path.count + 1)))
    } problem: {
      problems.append($0)
    }
    return (paths, problems)
  }

  /// Reads one file whose name begins with `f`.
  func read(_ name: String, _ bytes: [UInt8], _ options: CorpusOptions = CorpusOptions()) throws -> Reading {
    let file = try write(name, bytes)
    var reading = Reading()
    let reader = try CorpusFileReader(options: options)
    try CorpusWalker(paths: [file], options: options).walk { found in
      let source = SourceFile(
        path: name, absolutePath: found.absolutePath, size: found.size, modified: 1_717_402_272_000_000_000,
        format: found.format)
      try reader.read(
        source, body: { try reading.add($0, $1) }, problem: { reading.problems.append($0) })
    } problem: {
      reading.problems.append($0)
    }
    return reading
  }

  func read(_ name: String, _ text: String, _ options: CorpusOptions = CorpusOptions()) throws -> Reading {
    try read(name, Array(text.utf8), options)
  }
}
