import type { BuildOptions } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chunkFolder, splitCommonJs } from './splitCommonJs';

// Electron 42 inside VS Code 1.123 and later: Node 24 in the extension host, Chromium 142 or newer in webviews.
const nodeTarget = 'node24';
const webviewTarget = 'chrome142';

/** `pg` loads its native binding only on request; we never use it. */
const nativePostgresBinding = 'pg-native';

/** DuckDB has a native binary for each platform: it stays a separate package. */
const nativeQueryEngine = '@duckdb/node-api';

interface BundleSettings {
  /** Absolute path of the repository's root folder. */
  root: string;
  /** True to minify and omit source maps. */
  production: boolean;
}

/**
 * Selector around the styles of notebook renderers, which share a page with other extensions'
 * outputs.
 */
const ownOutputs = '.fleetwright-output';

function appsWith(root: string, entryPoint: string): string[] {
  const folder = join(root, 'webview');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, entryPoint)))
    .map((entry) => entry.name)
    .sort();
}

function commonOptions({ root, production }: BundleSettings): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  };
}

function nodeOptions(settings: BundleSettings): BuildOptions {
  return {
    ...commonOptions(settings),
    platform: 'node',
    format: 'cjs',
    target: nodeTarget,
    // jsonc-parser's CommonJS form loads its modules in a way that can't be bundled.
    mainFields: ['module', 'main'],
    outdir: 'dist',
  };
}

/** Source of each program that runs as a separate process, such as `dist/service.js`. */
export const programEntries = {
  service: 'src/service/main.ts',
  queryProcess: 'src/service/query/process/queryProcess.ts',
  trainingProcess: 'src/service/training/process/trainingProcess.ts',
  cli: 'src/cli/main.ts',
  moduleRun: 'src/moduleRun/main.ts',
} as const;

/** Name of a program, such as `service` for `dist/service.js`. */
export type Program = keyof typeof programEntries;

const runByPeople = { js: '#!/usr/bin/env node' };

/** Returns the esbuild options for a program, such as `dist/service.js`. */
export function programBundle(settings: BundleSettings, program: Program): BuildOptions {
  const node = { ...nodeOptions(settings), entryPoints: { [program]: programEntries[program] } };
  switch (program) {
    case 'service':
      return {
        ...node,
        external: [nativePostgresBinding],
        banner: runByPeople,
      };
    case 'queryProcess':
      return {
        ...node,
        external: [nativeQueryEngine],
      };
    case 'trainingProcess':
      return {
        ...node,
        // Embedded, so that the program is a single file that works anywhere.
        loader: { '.wasm': 'dataurl' },
      };
    case 'moduleRun':
      return node;
    case 'cli':
      return { ...node, banner: runByPeople };
  }
}

/**
 * Returns the esbuild options for the extension: `dist/extension.js`, and `dist/chunks` for modules
 * that are imported on first use.
 */
function extensionBundle(settings: BundleSettings): BuildOptions {
  const { production } = settings;
  return {
    ...nodeOptions(settings),
    entryPoints: { extension: 'src/extension.ts' },
    external: ['vscode'],
    format: 'esm',
    splitting: true,
    chunkNames: `${chunkFolder}/[name]-[hash]`,
    write: false,
    minify: false,
    sourcemap: production ? false : 'inline',
    plugins: [splitCommonJs({ minify: production, target: nodeTarget })],
  };
}

function browserOptions(settings: BundleSettings, app: string, entryPoint: string): BuildOptions {
  return {
    ...commonOptions(settings),
    platform: 'browser',
    target: webviewTarget,
    entryPoints: { [app]: `webview/${app}/${entryPoint}` },
    outdir: 'dist/webview',
  };
}

/**
 * Returns all esbuild options: `dist/extension.js` and its chunks, the programs (`dist/service.js`,
 * `dist/queryProcess.js`, `dist/trainingProcess.js`, `dist/cli.js`), and one
 * `dist/webview/<app>.js` (with its `.css` if it has styles) for every folder of `webview/` with a
 * `main.ts`, or a `renderer.ts`, which VS Code imports into the page of a notebook's outputs.
 */
export function bundles(settings: BundleSettings): BuildOptions[] {
  return [
    extensionBundle(settings),
    programBundle(settings, 'service'),
    programBundle(settings, 'queryProcess'),
    programBundle(settings, 'trainingProcess'),
    programBundle(settings, 'cli'),
    programBundle(settings, 'moduleRun'),
    ...appsWith(settings.root, 'main.ts').map((app) => ({
      ...browserOptions(settings, app, 'main.ts'),
      format: 'iife' as const,
    })),
    ...appsWith(settings.root, 'renderer.ts').map((app) => ({
      ...browserOptions(settings, app, 'renderer.ts'),
      format: 'esm' as const,
      banner: { css: `@scope (${ownOutputs}) {` },
      footer: { css: '}' },
    })),
  ];
}
