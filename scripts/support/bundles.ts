import type { BuildOptions } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { embedWasm } from './embedWasm';
import { scopeStyles } from './scopeStyles';
import { removeOldChunks, SHARED_CHUNK } from './removeOldChunks';
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

/** Selector of the outputs that notebook renderers create. */
const ownOutputs = '.fleetwright-output';

function findApps(root: string, entryPoint: string): string[] {
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

/** Source files of the programs that run as separate processes, such as `dist/service.js`. */
export const programEntries = {
  service: 'src/service/main.ts',
  queryProcess: 'src/service/query/process/queryProcess.ts',
  trainingProcess: 'src/service/training/process/trainingProcess.ts',
  cli: 'src/cli/main.ts',
  moduleRun: 'src/moduleRun/main.ts',
} as const;

/** Name of the extension's entry point, which the loader in `dist/extension.js` loads. */
export const extensionEntry = 'extensionMain';

/** Name of a program, such as `service` for `dist/service.js`. */
export type Program = keyof typeof programEntries;

const runByPeople = { js: '#!/usr/bin/env node' };

/**
 * Returns the esbuild options for a program, such as `dist/service.js`, as a single file that works in
 * any folder.
 */
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
        // Node has `fetch`, without which TensorFlow.js would load this package.
        external: ['node-fetch'],
        plugins: [embedWasm()],
      };
    case 'moduleRun':
      return node;
    case 'cli':
      return { ...node, banner: runByPeople };
  }
}

/**
 * Returns the esbuild options for the extension and the programs: `dist/extension.js`, which loads
 * `dist/extensionMain.js`; the programs; and `dist/chunks` for modules that several of them need or
 * that they import on first use.
 */
export function nodeBundles(settings: BundleSettings): BuildOptions[] {
  const { production } = settings;
  const { trainingProcess: _, ...programs } = programEntries;
  const banners = { service: runByPeople.js, cli: runByPeople.js };
  const split: BuildOptions = {
    ...nodeOptions(settings),
    entryPoints: { [extensionEntry]: 'src/extension.ts', ...programs },
    external: ['vscode', nativePostgresBinding, nativeQueryEngine],
    format: 'esm',
    splitting: true,
    chunkNames: `${chunkFolder}/[name]-[hash]`,
    write: false,
    minify: false,
    // Shortens the names of exports between files, which can't be done when the files are separate.
    minifyIdentifiers: production,
    minifySyntax: production,
    sourcemap: production ? false : 'inline',
    plugins: [
      splitCommonJs({ extension: extensionEntry, banners, minify: production, target: nodeTarget }),
    ],
  };
  const loader = { ...nodeOptions(settings), entryPoints: { extension: 'src/loader/main.ts' } };
  return [split, loader, programBundle(settings, 'trainingProcess')];
}

/**
 * Returns the esbuild options for webview apps: `dist/webview/<app>.js`, and the code that several
 * of the apps need in `dist/webview/shared-*.js`.
 *
 * @param apps names of folders in `webview/`
 */
export function webviewBundle(settings: BundleSettings, apps: readonly string[]): BuildOptions {
  const pages = findApps(settings.root, 'main.ts');
  const entryPoints = apps.map((app) => {
    const entryPoint = pages.includes(app) ? 'main.ts' : 'renderer.ts';
    return [app, `webview/${app}/${entryPoint}`] as const;
  });
  return {
    ...browserOptions(settings),
    entryPoints: Object.fromEntries(entryPoints),
    format: 'esm',
    splitting: true,
    chunkNames: SHARED_CHUNK,
    plugins: [
      webviewStrings(),
      scopeStyles(
        apps.filter((app) => !pages.includes(app)),
        ownOutputs,
      ),
      removeOldChunks(),
    ],
  };
}

/** Returns the esbuild options for a script that a webview page loads on demand. */
export function webviewScript(settings: BundleSettings, name: string): BuildOptions {
  return {
    ...browserOptions(settings),
    entryPoints: { [name]: `webview/${name}/script.ts` },
    format: 'iife',
  };
}

function browserOptions(settings: BundleSettings): BuildOptions {
  return {
    ...commonOptions(settings),
    platform: 'browser',
    target: webviewTarget,
    outdir: 'dist/webview',
  };
}

/**
 * Returns all esbuild options: for the extension and its chunks; for the programs
 * (`dist/service.js`, `dist/queryProcess.js`, `dist/trainingProcess.js`, `dist/cli.js`,
 * `dist/moduleRun.js`); and for one `dist/webview/<app>.js` (with a `.css` file if it has styles,
 * and a list of its localizable strings) per folder of `webview/` that has an entry point. The entry
 * point is `main.ts` for a page, `renderer.ts` for code that VS Code imports into the page with a
 * notebook's outputs, or `script.ts` for a script that a page loads on demand.
 */
export function bundles(settings: BundleSettings): BuildOptions[] {
  const { root } = settings;
  return [
    ...nodeBundles(settings),
    webviewBundle(settings, [...findApps(root, 'main.ts'), ...findApps(root, 'renderer.ts')]),
    ...findApps(root, 'script.ts').map((name) => webviewScript(settings, name)),
  ];
}
