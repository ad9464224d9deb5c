/**
 * Webview panels. Each has a type, which VS Code uses to restore it, and a bundle in
 * `dist/webview`.
 */
export const webviews = {
  data: { viewType: 'fleetwright.data', app: 'data' },
  fileResult: { viewType: 'fleetwright.fileResult', app: 'fileResult' },
  history: { viewType: 'fleetwright.history', app: 'history' },
  logs: { viewType: 'fleetwright.logs', app: 'logs' },
  query: { viewType: 'fleetwright.query', app: 'query' },
  registryItem: { viewType: 'fleetwright.registryItem', app: 'registryItem' },
  training: { viewType: 'fleetwright.training', app: 'training' },
} as const;
