import type { BuildOptions } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chunkFolder, splitCommonJs } from './splitCommonJs';

// Electron 42 inside VS Code 1.123 and later: Node 24 in the extension host, Chromium 142 or newer in webviews.
const nodeTarget = 'node24';
const webviewTarget = 'chrome142';

/** `pg` asks for its native binding only when the caller wants it; we never do. */
const nativePostgresBinding = 'pg-native';

/** DuckDB has a native part for each platform: it stays a package of its own. */
const nativeQueryEngine = '@duckdb/node-api';

interface BundleSettings {
  /** The repository's root folder, absolute. */
  root: string;
  /** Minified and without source maps. */
  production: boolean;
}

/** Around the style sheets of notebook renderers: they share a page with the outputs of others. */
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
    // jsonc-parser's CommonJS form loads its parts in a way that cannot be bundled.
    mainFields: ['module', 'main'],
    outdir: 'dist',
  };
}

/** The source of each program, which runs as a process of its own, such as `dist/service.js`. */
export const programEntries = {
  service: 'src/service/main.ts',
  queryProcess: 'src/service/query/process/queryProcess.ts',
  trainingProcess: 'src/service/training/process/trainingProcess.ts',
  cli: 'src/cli/main.ts',
  moduleRun: 'src/moduleRun/main.ts',
} as const;

/** The name of a program, such as `service` of `dist/service.js`. */
export type Program = keyof typeof programEntries;

const runByPeople = { js: '#!/usr/bin/env node' };

/** What esbuild bundles into a program, such as `dist/service.js`. */
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
        // Inside, so that the program is one file wherever it is put.
        loader: { '.wasm': 'dataurl' },
      };
    case 'moduleRun':
      return node;
    case 'cli':
      return { ...node, banner: runByPeople };
  }
}

/** The extension: `dist/extension.js`, and `dist/chunks` for what is imported when it is first needed. */
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
 * What esbuild bundles: `dist/extension.js` and its chunks, the programs (`dist/service.js`,
 * `dist/queryProcess.js`, `dist/trainingProcess.js`, `dist/cli.js`) and one `dist/webview/<app>.js` (with
 * its `.css` when it has styles) for every folder of `webview/` that holds a `main.ts`, or a
 * `renderer.ts`, which VS Code imports into the page of a notebook's outputs.
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
