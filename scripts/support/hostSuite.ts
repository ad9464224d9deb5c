import { build, type BuildOptions } from 'esbuild';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { styleText } from 'node:util';
import type { HostResult } from '../../test/host/hostResult';
import { fromRoot, root } from './paths';

/** Below the repository's root, so that mocha can be resolved from this folder. */
const outputFolder = fromRoot('.cache', 'hostSuite');

const hostBundle: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: ['vscode', 'mocha', 'pg-native'],
  sourcemap: 'inline',
  logLevel: 'warning',
};

/**
 * Bundles `test/host` for the extension host, which loads only JavaScript. All test files go into
 * one bundle, because each of several bundles would contain its own copy of the service and the
 * extension.
 *
 * @returns the absolute path of the module whose `run()` function runs the suite
 */
export async function buildHostSuite(): Promise<string> {
  rmSync(outputFolder, { recursive: true, force: true });
  const files = globSync('test/host/**/*.test.ts', { cwd: root }).sort();
  const contents = files.map((file) => `import './${file.replaceAll('\\', '/')}';`).join('\n');
  await build({ ...hostBundle, entryPoints: ['test/host/index.ts'], outdir: outputFolder });
  await build({
    ...hostBundle,
    stdin: { contents, resolveDir: root, sourcefile: 'hostTests.ts', loader: 'ts' },
    outfile: fromRoot('.cache', 'hostSuite', 'tests.js'),
  });
  return fromRoot('.cache', 'hostSuite', 'index.js');
}

/**
 * Prints the outcome of each test and the line `N passed, N failed`; returns true if all tests
 * passed. A suite without results counts as one failure.
 *
 * @param resultFile file with the suite's results; can be missing
 */
export function reportHostSuite(resultFile: string): boolean {
  let results: HostResult[];
  try {
    results = JSON.parse(readFileSync(resultFile, 'utf8')) as HostResult[];
  } catch {
    results = [{ title: 'the suite', milliseconds: 0, error: 'It ended without results.' }];
  }
  for (const { title, milliseconds, error } of results) {
    const mark = error === undefined ? styleText('green', '✔') : styleText('red', '✘');
    console.log(`${mark} ${title} (${milliseconds} ms)`);
  }
  const failed = results.filter(({ error }) => error !== undefined);
  // Use mocha's format, so that the list of failures is found at the end of the output.
  if (failed.length > 0) console.log(`${failed.length} failing`);
  for (const { title, error } of failed) console.log(`  ${title}\n${error}`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && results.length > 0;
}
