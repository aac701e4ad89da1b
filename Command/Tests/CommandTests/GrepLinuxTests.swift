import Foundation
import Testing

/// In a part of the Linux source, `concord grep` finds the same lines as `rg`, with and without the index.
///
/// `Scripts/check_grep.py` compares more searches on the whole source.
struct GrepLinuxTests {
  /// The part: C, its headers, Kconfig, Makefiles.
  private static let path: String? = {
    let root = URL(fileURLWithPath: Corpora.path).deletingLastPathComponent().path
    let path = root + "/.corpora/linux/drivers/usb/core"
    return FileManager.default.fileExists(atPath: path) && Ripgrep.path != nil ? path : nil
  }()

  private static let cases: [[String]] = [
    // Literals and alternatives.
    ["-n", "usb_hub_wq"], ["-n", "-e", "->parent"], ["-n", "spin_(lock|unlock)_irq\\w+"],
    ["-n", "kmalloc|kzalloc|usb_alloc_\\w+"],
    ["-n", "(un)?likely\\("], ["-n", "é|ö|“|’|–"],
    // Classes and repetition.
    ["-n", "EXPORT_SYMBOL_GPL\\(usb_\\w+\\)"], ["-n", "[0-9]{5,}"], ["-n", "0x[0-9a-fA-F]{4}"],
    ["-n", "[^\\x00-\\x7F]"],
    ["-n", "struct\\s+\\w+_ops\\s*="], ["-n", "\\w+_init\\b"], ["-n", ".{100,}"], ["-n", "a.*?b.*?c.*?ff"],
    // Boundaries of lines and words.
    ["-n", "^$"], ["-n", "^\\s+\\*$"], ["-n", "^}$"], ["-n", "\\\\$"], ["-n", "\\Birq\\B"],
    ["-n", "\\bint\\b.*\\bint\\b"],
    ["-nw", "usb|hub"], ["-nx", "\\s*return 0;"], ["-nxF", "};"],
    // Case-insensitive.
    ["-ni", "fixme"], ["-nS", "todo|xxx"], ["-nS", "TODO"], ["-n", "(?i:usb)_Hub|a(?i)PI_"],
    // Lines and documents without a match, counts.
    ["-nv", "[a-z]"], ["-cv", "e"], ["-c", ""], ["-c", "x*"], ["--count-matches", "lock|hub"], ["-l", "wait_event"],
    ["--files-without-match", "mutex"], ["-n", "-m2", "return"],
    // Perl syntax only.
    ["-nP", "(?<!un)lock_irq"], ["-nP", "lock(?!_irq|ed)\\w+\\("], ["-nP", "\\b(\\w{3,}) \\1\\b"], ["-nP", "a++b"],
    ["-nP", "\\busb\\K_get\\w+"], ["-nP", "\\((?:[^()]|(?R)){30,}\\)"],
    // Literal text, several patterns, parts of lines.
    ["-nF", "[i]."], ["-nF", "(*"], ["-n", "-e", "usb_lock", "-e", "^$", "-e", "hub_\\w+\\("],
    ["-nF", "-e", "->a", "-e", "*/"],
    ["-on", "usb_[a-z]+_dev"], ["-o", "-r", "$2/$1", "(\\w+)->(lock)\\b"], ["--vimgrep", "goto \\w+"],
    // Multi-line, with context, in selected files.
    ["-nU", "\\{\\n\\s+int "], ["-nU", "return 0;\\n\\}\\n\\nstatic"], ["-nU", "struct \\w+ \\{\\s*int"],
    ["-nA2", "usb_hub_wq"],
    ["-nC1", "EXPORT_SYMBOL\\("], ["-n", "-g", "*.h", "define"], ["-n", "-tmake", "obj-"],
    ["-n", "-g", "!*.c", "usb_get"],
  ]

  @Test(.enabled(if: GrepLinuxTests.path != nil, "rg or .corpora/linux is missing; `make corpus-linux` unpacks it"))
  func linesEqualThoseOfRipgrep() throws {
    let path = try #require(GrepLinuxTests.path)
    let folder = try TemporaryFolder()
    #expect(try folder.concord("index", path).status == 0)
    for arguments in GrepLinuxTests.cases {
      let expected = try Ripgrep.run(arguments + [path], in: folder)
      for index in [[], ["--no-index"]] {
        let result = try ConcordProcess.run(["grep", "--sort", "path"] + index + arguments + [path], in: folder)
        // A Boolean, because a failure would print both long outputs.
        let isSame = Ripgrep.withoutTimes(result.output) == expected.output
        #expect(isSame, "\(index + arguments)")
        #expect(result.status == expected.status, "\(index + arguments) \(result.messages)")
      }
    }
  }
}
