import Foundation

/// Collects the paths of the encrypted files of a book (EPUB OCF, `META-INF/encryption.xml`). In most books, these are
/// only fonts, which are obfuscated.
final class EncryptedResources: XMLHandler {
  private var paths: Set<String> = []

  /// Returns the paths of the encrypted files. Those before an error in the list are returned.
  static func read(in package: OfficePackage) -> Set<String> {
    let handler = EncryptedResources()
    if let member = package["META-INF/encryption.xml"] { try? XMLEvents.parse(member, handler) }
    return handler.paths
  }

  func start(_ name: String, _ attributes: [String: String]) {
    guard name == "CipherReference", let target = attributes["URI"] else { return }
    // Targets are relative to the root of the archive.
    paths.insert(OfficePackage.resolve(target.removingPercentEncoding ?? target, in: ""))
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}
