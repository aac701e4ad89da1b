import DocumentFormats
import Foundation

/// The text and the attachments of a mail message.
struct MailContent {
  var text: String
  var attachments: [MailAttachment]
}

/// A file that is attached to a mail message, or a message that is contained in another one.
struct MailAttachment {
  /// The name in the id of its document, without folders.
  let name: String
  /// The name that determines the format: ``name``, with the extension of the media type if the name has no known one.
  let formatName: String
  let bytes: [UInt8]

  /// - Parameters:
  ///   - name: the name in the message, which may be a path on the sender's machine.
  ///   - type: the media type in lower case.
  ///   - charset: the character set of a text attachment, which is converted to UTF-8; nil for other attachments.
  init(name: String?, type: String, charset: String?, bytes: [UInt8]) {
    let base = name.flatMap(MailAttachment.lastComponent)
    let extensionOfType = MailAttachment.extensions[type] ?? (type.hasPrefix("text/") ? "txt" : nil)
    self.name = base ?? "attachment" + (extensionOfType.map { ".\($0)" } ?? "")
    let isKnown =
      CorpusFormat(fileName: self.name) != .text
      || self.name.lowercased().hasSuffix(".txt")
    formatName = isKnown || extensionOfType == nil ? self.name : "\(self.name).\(extensionOfType ?? "")"
    self.bytes = charset.map { MailText.utf8(bytes, charset: $0) } ?? bytes
  }

  private init(_ attachment: MailAttachment, name: String) {
    self.name = name
    formatName = attachment.formatName
    bytes = attachment.bytes
  }

  /// Returns the attachments with unique names: the second `a.pdf` becomes `a-2.pdf`.
  static func numbered(_ attachments: [MailAttachment]) -> [MailAttachment] {
    var used: Set<String> = []
    var counts: [String: Int] = [:]
    return attachments.map { attachment in
      var name = attachment.name
      while !used.insert(name).inserted {
        let number = counts[attachment.name, default: 1] + 1
        counts[attachment.name] = number
        let dot = attachment.name.lastIndex(of: ".") ?? attachment.name.endIndex
        name = "\(attachment.name[..<dot])-\(number)\(attachment.name[dot...])"
      }
      return MailAttachment(attachment, name: name)
    }
  }

  /// Returns the last component of a path with slashes or backslashes; nil if it is empty or refers to a folder.
  private static func lastComponent(_ path: String) -> String? {
    let last = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let name = String(String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
      .trimmingCharacters(in: .whitespaces)
    return name.isEmpty || name == "." || name == ".." ? nil : name
  }

  private static let extensions = [
    "message/rfc822": "eml", "message/global": "eml", "text/html": "html", "text/markdown": "md", "text/csv": "csv",
    "application/pdf": "pdf", "application/rtf": "rtf", "text/rtf": "rtf", "application/epub+zip": "epub",
    "application/zip": "zip", "application/x-zip-compressed": "zip", "application/gzip": "gz",
    "application/x-tar": "tar", "application/x-7z-compressed": "7z", "application/vnd.rar": "rar",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt", "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
  ]
}
