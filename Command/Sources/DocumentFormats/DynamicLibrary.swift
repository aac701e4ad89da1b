import Foundation

/// A library that is loaded while the program runs, so that the program can start without it.
package struct DynamicLibrary {
  // Never closed: functions of the library are used until the program ends.
  private let handle: UnsafeMutableRawPointer

  /// Loads a library; nil if it is not installed.
  package init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// Returns the file name of a loaded library, with symbolic links resolved; nil if no loaded library has this prefix.
  static func loadedFileName(prefix: String) -> String? {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return nil }
    let names = maps.split(separator: "\n").compactMap { $0.split(separator: "/").last }
    return names.first { $0.hasPrefix(prefix) }.map(String.init)
  }

  /// Returns a function; nil if the library does not contain it.
  ///
  /// - Parameter type: the type of the function, which must be that of its declaration in C.
  package func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
