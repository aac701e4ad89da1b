import CICU
import CSnowball

extension Collator {
  /// The version of ICU, such as `72.1`, on which the order of strings depends. Sort keys of different versions are not
  /// comparable.
  public static let version = dotted(cicu_version)
}

extension Analyzer {
  /// The versions of everything that terms depend on besides the configuration: the rules of this module, ICU, Unicode
  /// and Snowball. An index built with another version must be rebuilt.
  ///
  /// For example `5;icu=72.1;unicode=15.0;snowball=29-5d0c3a91`. Because libstemmer does not report its version, the
  /// last part consists of the number of its algorithms and a checksum of the stems of a few words.
  public static let version: String =
    "\(rules);icu=\(Collator.version);unicode=\(dotted(cicu_unicodeVersion));snowball=\(snowball())"

  /// Increment this number whenever segmentation, folding or stemming changes in this module, or when an index extracts
  /// different strings from a document, or when the condition of an index is evaluated differently.
  private static let rules = 5

  private static func snowball() -> String {
    var checksum: UInt32 = 2_166_136_261
    for language in Language.all {
      let stemmer = Stemmer(language)
      for word in probes {
        let stem = Array(word.utf8).withUnsafeBufferPointer { Array(stemmer.stem($0)) }
        // FNV-1a, with a byte 0 after each stem.
        for byte in stem + [0] { checksum = (checksum ^ UInt32(byte)) &* 16_777_619 }
      }
    }
    return "\(Language.all.count)-\(String(checksum, radix: 16))"
  }

  /// Inflected words of the languages that Snowball supports.
  private static let probes = [
    "generalizations", "skies", "happily", "nationalités", "heureusement", "aufgeführten", "häuser",
    "lichamelijk",
    "amistades", "rápidamente", "cantavamos", "nazionalizzazione", "copiilor", "lichtjes", "jaktkarlarne",
    "undersøgelserne", "kauneimmille", "házaikban", "kitaplarımızdan", "namų", "книгами", "важнейший",
    "књигама",
    "άνθρωποι", "գրքերից", "بالكتابات", "लड़कियों", "किताबहरू", "புத்தகங்களை", "etxeetan", "bhfoireann",
    "pembelajarannya",
    "בוכער",
  ]
}

/// Returns the first two numbers of a version, separated by a dot. `get` writes the four numbers of the version.
private func dotted(_ get: (UnsafeMutablePointer<UInt8>?) -> Void) -> String {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { numbers in
    numbers.initialize(repeating: 0)
    get(numbers.baseAddress)
    return "\(numbers[0]).\(numbers[1])"
  }
}
