/// A type that can be saved as a document. It has one property for the document's id:
///
/// ```swift
/// struct Hotel: DocumentCodable {
///   @DocumentID var id: String?
///   var name: String
///   var stars: Int?
///   var opened: Date
///   var photo: Blob?
/// }
/// try hotels.save(from: Hotel(name: "Ghia", opened: Date()))
/// ```
///
/// Dates become ISO 8601 strings, `Data` base64, a ``Blob`` a blob of the document, `URL` and `UUID` strings, and nil no
/// property at all.
public protocol DocumentEncodable: Encodable {}

/// A type that documents can be read as. See ``DocumentEncodable``.
public protocol DocumentDecodable: Decodable {}

/// A type that can be saved as a document and read back. See ``DocumentEncodable``.
public typealias DocumentCodable = DocumentEncodable & DocumentDecodable
