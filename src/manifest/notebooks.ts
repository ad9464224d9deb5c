/** Contributions of package.json for query notebooks. */
export const notebooks = {
  type: 'fleetwright-notebook',
  extension: '.fleetnb',
  /** Renderer that shows the result of a query in its cell. */
  renderer: 'fleetwright-result',
  /**
   * MIME type of an output that contains the ID of the result. The renderer requests the result's
   * rows.
   */
  mimeType: 'application/vnd.fleetwright.result+json',
  /** Name of the renderer's bundle in `dist/webview`. */
  app: 'queryNotebook',
} as const;
