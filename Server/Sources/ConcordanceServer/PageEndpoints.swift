import HTTPTypes
import Hummingbird
import NIOCore

/// The server's web page. Its files are in the folder `Page` and are compiled into the program.
enum PageEndpoints {
  static let all: [Endpoint] = files.map { path, mediaType, content in
    Endpoint(
      method: .get, path: path, operation: path == "/" ? "page" : "page_\(path.dropFirst("/page/".count))",
      summary: "Returns a file of the page for browsers.", scope: nil, responses: [(200, "The file.", mediaType)]
    ) { input in
      let tag = tags[path] ?? ""
      let headers: HTTPFields = [
        .contentType: mediaType, .eTag: tag, .cacheControl: "no-cache", .contentSecurityPolicy: policy,
      ]
      if let known = input.headers[.ifNoneMatch], EntityTags(known).contains(tag) {
        return Response(status: .notModified, headers: headers)
      }
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: content)))
    }
  }

  /// Only files from the server may be loaded. Documents are displayed as text; this policy is a second line of defense
  /// against scripts in them.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private static let script = "text/javascript; charset=utf-8"

  static let files: [(path: String, mediaType: String, content: [UInt8])] = [
    ("/", "text/html; charset=utf-8", PackageResources.index_html),
    ("/page/style.css", "text/css; charset=utf-8", PackageResources.style_css),
    ("/page/icon.svg", "image/svg+xml", PackageResources.icon_svg),
    ("/page/app.js", script, PackageResources.app_js),
    ("/page/api.js", script, PackageResources.api_js),
    ("/page/dom.js", script, PackageResources.dom_js),
    ("/page/search.js", script, PackageResources.search_js),
    ("/page/facets.js", script, PackageResources.facets_js),
    ("/page/hits.js", script, PackageResources.hits_js),
    ("/page/indexes.js", script, PackageResources.indexes_js),
    ("/page/suggestions.js", script, PackageResources.suggestions_js),
    ("/page/document.js", script, PackageResources.document_js),
    ("/page/grep.js", script, PackageResources.grep_js),
    ("/page/query.js", script, PackageResources.query_js),
    ("/page/overview.js", script, PackageResources.overview_js),
    ("/page/drafts.js", script, PackageResources.drafts_js),
    ("/page/excerpt.js", script, PackageResources.excerpt_js),
    ("/page/follow.js", script, PackageResources.follow_js),
    ("/page/opened.js", script, PackageResources.opened_js),
    ("/page/plan.js", script, PackageResources.plan_js),
    ("/page/projection.js", script, PackageResources.projection_js),
    ("/page/rows.js", script, PackageResources.rows_js),
    ("/page/sources.js", script, PackageResources.sources_js),
    ("/page/table.js", script, PackageResources.table_js),
    ("/page/waiting.js", script, PackageResources.waiting_js),
  ]

  private static let tags = Dictionary(
    files.map { ($0.path, "\"\(AccessTokens.hexadecimalDigest(of: $0.content).prefix(16))\"") },
    uniquingKeysWith: { $1 })
}
