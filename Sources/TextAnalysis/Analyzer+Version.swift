import CICU
import CSnowball

extension Collator {
  /// The version of ICU, by whose rules strings are compared: `72.1`. Sort keys of different versions cannot be
  /// compared.
  public static let version = dotted(cicu_version)
}

extension Analyzer {
  /// Identifies everything that terms depend on in addition to the configuration: the rules of this module, ICU, the
  /// Unicode version, Snowball. An index built with another version must be rebuilt.
  ///
  /// For example `3;icu=72.1;unicode=15.0;snowball=29-5d0c3a91`. libstemmer does not report its version: the last part
  /// is the number of its algorithms and a checksum of the stems of a few words.
  public static let version: String =
    "\(rules);icu=\(Collator.version);unicode=\(dotted(cicu_unicodeVersion));snowball=\(snowball())"

  /// Increase this number with every change of segmentation, folding or stemming in this module, and of the strings
  /// that an index extracts from a document.
  private static let rules = 3

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

/// The first two numbers of a version of ICU.
private func dotted(_ get: (UnsafeMutablePointer<UInt8>?) -> Void) -> String {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { numbers in
    numbers.initialize(repeating: 0)
    get(numbers.baseAddress)
    return "\(numbers[0]).\(numbers[1])"
  }
}
