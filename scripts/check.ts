import { availableParallelism } from 'node:os';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { fromRoot } from './support/paths';
import { runStage, stageLine, type Stage, type StageResult } from './support/stages';

// The slowest stage is first, so that the other stages run concurrently with it.
const stages: readonly Stage[] = [
  // The compiler's diagnostics and the type-aware rules share one program per tsconfig.json.
  { name: 'types and lint', command: ['oxlint', '.'] },
  { name: 'spelling', command: ['cspell', 'lint', '--no-progress', '--no-summary', '.'] },
  {
    name: 'import rules',
    command: [
      ...([
        'depcruise',
        'src',
        'webview',
        'test',
        'scripts',
        'bench',
        '--output-type=err',
      ] as const),
      ...['--cache=.cache/depcruise', '--cache-strategy=content'],
    ],
  },
  {
    name: 'manifest',
    command: ['node', 'scripts/pinned.mjs', 'scripts/generateManifest.ts', '--check'],
  },
  { name: 'unused code', command: ['knip'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'wire contract', command: ['buf', 'lint'] },
];

async function runAll(): Promise<StageResult[]> {
  const waiting = [...stages];
  const results: StageResult[] = [];
  const lane = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
      const result = await runStage(stage, { echo: false });
      results.push(result);
      console.log(stageLine(result));
      if (result.exitCode !== 0) console.log(result.output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
  return results;
}

/**
 * Runs the fast checks: types of all runtimes, lint, spelling, import rules, unused code, format,
 * and the contract's own rules. The last line of output is `N passed, N failed`, which counts
 * stages.
 */
async function main(): Promise<void> {
  generate();
  // The tests depend on the public client's types.
  ensureInstalled(fromRoot('test', 'publicClient'));
  const results = await runAll();
  const failed = results.filter(({ exitCode }) => exitCode !== 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
