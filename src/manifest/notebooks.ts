/** Contributions of package.json for query notebooks. */
export const notebooks = {
  type: 'fleetwright-notebook',
  extension: '.fleetnb',
  /** Renderer that shows the result of a query in its cell. */
  renderer: 'fleetwright-result',
  /** Contains the ID of the result; the renderer requests its rows. */
  mimeType: 'application/vnd.fleetwright.result+json',
  /** Bundle of the renderer in `dist/webview`. */
  app: 'queryNotebook',
} as const;
