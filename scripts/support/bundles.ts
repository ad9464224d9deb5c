import type { BuildOptions, Plugin } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chunkFolder, splitCommonJs } from './splitCommonJs';
import { webviewStrings } from './webviewStrings';

// VS Code 1.123 and later contain Electron 42, with Node 24 in the extension host and Chromium 142
// or newer in webviews.
const nodeTarget = 'node24';
const webviewTarget = 'chrome142';

/** `pg` loads its native binding only on request, and we never request it. */
const nativePostgresBinding = 'pg-native';

/** DuckDB has a native binary for each platform, so it remains a separate package. */
const nativeQueryEngine = '@duckdb/node-api';

interface BundleSettings {
  /** Absolute path of the repository's root folder. */
  root: string;
  /** True to minify and omit source maps. */
  production: boolean;
}

/**
 * Selector that limits the styles of notebook renderers, because they share a page with outputs of
 * other extensions.
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
    // The CommonJS form of jsonc-parser loads its modules in a way that can't be bundled.
    mainFields: ['module', 'main'],
    outdir: 'dist',
  };
}

/**
 * Source files of the programs that run as separate processes, such as `dist/service.js`, and of the
 * service's modules that have bundles of their own.
 */
export const programEntries = {
  service: 'src/service/main.ts',
  s3Bucket: 'src/service/objects/s3Bucket.ts',
  queryProcess: 'src/service/query/process/queryProcess.ts',
  trainingProcess: 'src/service/training/process/trainingProcess.ts',
  cli: 'src/cli/main.ts',
  moduleRun: 'src/moduleRun/main.ts',
} as const;

/** Name of a program, such as `service` for `dist/service.js`. */
export type Program = keyof typeof programEntries;

/** Makes a program load a module that it imports on demand from a bundle in the same folder. */
function loadSeparately(module: Program): Plugin {
  return {
    name: 'load-separately',
    setup(bundle) {
      bundle.onResolve({ filter: new RegExp(`/${module}$`) }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${module}.js`, external: true } : undefined,
      );
    },
  };
}

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
        plugins: [loadSeparately('s3Bucket')],
      };
    case 'queryProcess':
      return {
        ...node,
        external: [nativeQueryEngine],
      };
    case 'trainingProcess':
      return {
        ...node,
        // Embed WASM files, so that the program is a single file that works in any folder.
        loader: { '.wasm': 'dataurl' },
      };
    case 's3Bucket':
    case 'moduleRun':
      return node;
    case 'cli':
      return { ...node, banner: runByPeople };
  }
}

/**
 * Returns the esbuild options for the extension: `dist/extension.js`, and `dist/chunks` for modules
 * that it imports on first use.
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
    plugins: [webviewStrings()],
  };
}

/**
 * Returns all esbuild options: for `dist/extension.js` and its chunks; for the programs
 * (`dist/service.js` with `dist/s3Bucket.js`, `dist/queryProcess.js`, `dist/trainingProcess.js`,
 * `dist/cli.js`, `dist/moduleRun.js`); and for one `dist/webview/<app>.js` (with a `.css` file if it has styles, and a list of its localizable
 * strings) per folder of `webview/` that has an entry point. The entry point is `main.ts`, or `renderer.ts` for code that VS Code imports
 * into the page with a notebook's outputs.
 */
export function bundles(settings: BundleSettings): BuildOptions[] {
  return [
    extensionBundle(settings),
    programBundle(settings, 'service'),
    programBundle(settings, 's3Bucket'),
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
