import { availableParallelism } from 'node:os';
import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { fromRoot } from './support/paths';
import { runStage, stageLine, type Stage, type StageResult } from './support/stages';

function types(name: string, project: string): Stage {
  const state = `.cache/types/${name.replaceAll(' ', '-')}.tsbuildinfo`;
  return {
    name: `types: ${name}`,
    command: ['tsc', '-p', project, '--incremental', '--tsBuildInfoFile', state],
  };
}

// The slowest first, so that the others fill the gaps beside it.
const stages: readonly Stage[] = [
  { name: 'lint', command: ['eslint', '.', '--max-warnings=0'] },
  types('tests and scripts', '.'),
  types('extension host', 'src/host'),
  types('core and service', 'src'),
  types('end to end', 'test/e2e'),
  types('webviews', 'webview'),
  types('webview tests', 'test/webview'),
  {
    name: 'format',
    command: [
      ...(['prettier', '--check', '--log-level=warn', '.'] as const),
      ...['--cache', '--cache-strategy=content', '--cache-location=.cache/prettier'],
    ],
  },
  {
    name: 'import rules',
    command: ['depcruise', 'src', 'webview', 'test', 'scripts', 'bench', '--output-type', 'err'],
  },
  { name: 'unused code', command: ['knip'] },
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
 * The fast part of the tests: types of every runtime, lint, format, import rules, unused code, and
 * the contract's own rules. Ends with `N passed, N failed`, one for each stage.
 */
async function main(): Promise<void> {
  generate();
  // Its types are part of the tests'.
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
