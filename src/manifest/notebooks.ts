/** What package.json contributes for notebooks of queries. */
export const notebooks = {
  type: 'fleetwright-notebook',
  extension: '.fleetnb',
  /** Shows what came of a query, where it was asked. */
  renderer: 'fleetwright-result',
  /** Says which result it is; the renderer asks for its rows. */
  mimeType: 'application/vnd.fleetwright.result+json',
  /** The renderer's bundle in `dist/webview`. */
  app: 'queryNotebook',
} as const;
