import DocumentFormats
import Testing

struct FormatLibraryTests {
  /// A file that could not be read is read again after an update of its library.
  @Test(arguments: ExtractedFormat.allCases) func fingerprintsContainTheVersionsOfTheLibraries(format: ExtractedFormat)
    throws
  {
    let fingerprint = FormatLibraries.fingerprint(forName: "a.\(try #require(format.extensions.first))")
    for name in (format.library ?? "").split(separator: ",").map({ $0.filter { $0 != " " } }) {
      let library = try #require(FormatLibraries.all.first { $0.name == name })
      #expect(fingerprint.contains("-" + (library.version ?? "none")), "\(fingerprint)")
    }
  }
}
