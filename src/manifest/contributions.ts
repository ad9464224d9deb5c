/** Query languages of files and notebook cells, by VS Code language ID. */
export const languages = {
  sql: { id: 'fleet-sql', extension: '.fleet.sql' },
  mql: { id: 'fleet-mql', extension: '.mql.json' },
} as const;

/** Contributions for query notebooks in package.json. */
export const notebooks = {
  type: 'fleetwright-notebook',
  extension: '.fleetnb',
  /** Renderer that shows a query's result in its cell. */
  renderer: 'fleetwright-result',
  /**
   * MIME type of an output that contains the ID of the result. The renderer requests the result's
   * rows.
   */
  mimeType: 'application/vnd.fleetwright.result+json',
  /** Name of the renderer's bundle in `dist/webview`. */
  app: 'queryNotebook',
} as const;

/** URI schemes of the documents that this extension serves. */
export const schemes = {
  /** Previews of bulk changes and reports about them. */
  bulk: 'fleetwright-bulk',
  /** Captured data for viewing. */
  data: 'fleetwright-data',
  document: 'fleetwright',
  /** Dataset readiness reports for training. */
  readiness: 'fleetwright-readiness',
  /** Resolved configs of parts, for viewing and comparison. */
  resolved: 'fleetwright-resolved',
  /** Versions of documents, for viewing and comparison. */
  revision: 'fleetwright-revision',
} as const;

/** Contributions for tasks in package.json. */
export const tasks = {
  /** The `type` of tasks in tasks.json. */
  type: 'fleetwright',
  /**
   * Problem matchers that find file positions in the output of compilers for the supported module
   * languages.
   */
  matchers: ['$tsc', '$fleetwright-compiler', '$fleetwright-go', '$fleetwright-python'],
} as const;

/** ID of the provider of MCP servers that package.json contributes. */
export const mcpProvider = 'fleetwright.mcp';

/** View containers and views that package.json contributes. */
export const views = {
  container: 'fleetwright',
  fleet: 'fleetwright.fleet',
  rollout: 'fleetwright.rollout',
} as const;

/**
 * Webview panels. Each has a type, which VS Code uses to restore it, a bundle in `dist/webview`, and
 * an icon.
 */
export const webviews = {
  data: { viewType: 'fleetwright.data', app: 'data', icon: 'database' },
  fileResult: { viewType: 'fleetwright.fileResult', app: 'fileResult', icon: 'table' },
  history: { viewType: 'fleetwright.history', app: 'history', icon: 'history' },
  logs: { viewType: 'fleetwright.logs', app: 'logs', icon: 'output' },
  query: { viewType: 'fleetwright.query', app: 'query', icon: 'search' },
  registryItem: { viewType: 'fleetwright.registryItem', app: 'registryItem', icon: 'package' },
  training: { viewType: 'fleetwright.training', app: 'training', icon: 'mortar-board' },
} as const;

/** Setting in package.json with its default. A test compares the default with the manifest. */
export interface Setting<T> {
  readonly key: string;
  readonly defaultValue: T;
}

/** Saves that show a summary first; `risky` ones remove resources, for example. */
export type SavePreview = 'always' | 'risky' | 'never';

/** All settings that package.json contributes. */
export const settings = {
  /** Labels and URLs of the connections through which agents can change something. */
  agentWrites: setting<readonly string[]>('fleetwright.agents.allowWrites', []),
  /** PEM files of certificate authorities to trust in addition to those of the operating system. */
  certificateAuthorities: setting<readonly string[]>('fleetwright.certificateAuthorities', []),
  /** Labels and URLs of the connections that are read-only. */
  readOnlyConnections: setting<readonly string[]>('fleetwright.connections.readOnly', []),
  /** Saves of configs that show a summary first. */
  savePreview: setting<SavePreview>('fleetwright.documents.savePreview', 'risky'),
  /**
   * Number of seconds between refreshes of visible online statuses; 0 disables automatic refreshes.
   */
  refreshInterval: setting<number>('fleetwright.fleet.refreshInterval', 60),
  /** True to create the demo organizations in a new local fleet. */
  localFleetDemo: setting<boolean>('fleetwright.localFleet.demo', true),
  /** True to let the local fleet run training scripts from the registry. */
  localFleetScripts: setting<boolean>('fleetwright.localFleet.allowCustomTraining', false),
  /**
   * Maximum number of lines that a log panel stores in memory. When it is exceeded, the oldest
   * lines are dropped.
   */
  logsBufferLimit: setting<number>('fleetwright.logs.bufferLimit', 200_000),
  /** True to save executed queries in a history. */
  queryHistory: setting<boolean>('fleetwright.query.history', true),
} as const;

function setting<T>(key: string, defaultValue: T): Setting<T> {
  return { key, defaultValue };
}
