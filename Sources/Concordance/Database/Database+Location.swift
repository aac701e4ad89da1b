import Foundation

extension Database {
  /// Returns the absolute path of the database with this name in a folder.
  static func path(_ name: String, _ directory: String) -> String {
    let current = directory.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    return "\(current)\(directory)\(directory.hasSuffix("/") || directory.isEmpty ? "" : "/")\(name).\(fileExtension)"
  }

  static func isValid(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.contains("\0")
  }

  static func checkName(_ name: String) throws {
    guard isValid(name) else {
      throw CBLError(
        CBLError.invalidParameter, "\"\(name)\" is not a valid database name: it is empty or contains a slash")
    }
  }

  static func makeDirectory(_ directory: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw CBLError(
        CBLError.cantOpenFile, "\(directory): the folder cannot be created (\(error.localizedDescription))")
    }
  }
}
