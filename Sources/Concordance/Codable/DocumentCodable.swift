/// A type that can be saved as a document: any `Encodable` class or struct with one property for the document's id.
///
/// ```swift
/// struct Hotel: Codable {
///   @DocumentID var id: String?
///   var name: String
///   var stars: Int?
///   var opened: Date
///   var photo: Blob?
/// }
/// try hotels.save(from: Hotel(name: "Ghia", opened: Date()))
/// ```
///
/// Dates become ISO 8601 strings with as many digits as it takes to read an equal date back, `Data` becomes Base64, a ``Blob``
/// a blob of the document, `URL` and `UUID` strings, and nil null.
///
/// A type needs no declaration of this; the name is that of Couchbase Lite, where only classes can be saved.
public typealias DocumentEncodable = Encodable

/// A type that documents can be read as: any `Decodable` type. See ``DocumentEncodable``.
public typealias DocumentDecodable = Decodable

/// A type that can be saved as a document and read back: any `Codable` type. See ``DocumentEncodable``.
public typealias DocumentCodable = Codable
