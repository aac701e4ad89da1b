import Foundation

/// Creates text files in formats that are split into documents, with the sentences of ``DocumentBuilder``.
enum TextBuilder {
  static func file(_ format: String) -> String {
    let sentences = DocumentBuilder.sentences
    switch format {
    case "eml": return message()
    case "mbox":
      return sentences.map { sentence in
        """
        From lights@example.org Mon Jan  1 00:00:00 2024
        Subject: =?utf-8?B?\(Data(sentence.language.utf8).base64EncodedString())?=
        Content-Type: text/plain; charset=utf-8

        \(sentence.text)


        """
      }.joined()
    case "ipynb":
      let cells = sentences.map { "{\"cell_type\":\"markdown\",\"source\":[\"\($0.text)\"]}" }
      return "{\"nbformat\":4,\"cells\":[\(cells.joined(separator: ","))]}"
    case "1":
      return ".TH LIGHTS 1 2024-05-01\n"
        + sentences.enumerated().map { ".SH Part \($0 + 1)\n\($1.text)\n" }.joined()
    case "info":
      return "This is lights.info.\n\n"
        + sentences.enumerated().map { "\u{1F}\nFile: lights.info,  Node: Part \($0 + 1),  Up: Top\n\n\($1.text)\n" }
        .joined()
    default:
      let separator = format == "srt" ? "," : "."
      let cues = sentences.enumerated().map { index, sentence in
        "\(index + 1)\n00:00:0\(index + 1)\(separator)000 --> 00:00:0\(index + 2)\(separator)000\n\(sentence.text)\n\n"
      }
      return (format == "srt" ? "" : "WEBVTT\n\n") + cues.joined()
    }
  }

  /// The first sentence is the body, and the others are attachments.
  private static func message() -> String {
    let parts = DocumentBuilder.sentences.enumerated().map { index, sentence in
      let disposition =
        index == 0 ? "" : "Content-Disposition: attachment; filename=\"\(sentence.language).txt\"\n"
      return """
        --lights
        Content-Type: text/plain; charset=utf-8
        \(disposition)Content-Transfer-Encoding: base64

        \(Data(sentence.text.utf8).base64EncodedString())

        """
    }
    return "Subject: Lights\nContent-Type: multipart/mixed; boundary=lights\n\n\(parts.joined())--lights--\n"
  }
}
