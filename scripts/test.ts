import { ensureInstalled } from './bootstrap/install.mjs';
import { generate } from './generate';
import { ensureChromium } from './support/chromium';
import { ensureCodeServer } from './support/codeServer';
import { fromRoot } from './support/paths';
import { failureText, flakyLines } from './support/secondTry';
import { runStage, stageLine, type Stage } from './support/stages';
import { sum, tally, type Tally } from './support/tally';

const script = (name: string): Stage['command'] => [
  process.execPath,
  '--import',
  'tsx',
  fromRoot('scripts', name),
];

const stages: readonly Stage[] = [
  { name: 'check', command: script('check.ts') },
  { name: 'unit', command: ['mocha', 'test/unit/**/*.test.ts'] },
  // The contract suite also starts the bundled service, and the later stages install the package.
  { name: 'package', command: script('package.ts') },
  { name: 'contract', command: [...script('testSuite.ts'), 'test/contract/**/*.test.ts'] },
  { name: 'webviews', command: [...script('testSuite.ts'), 'test/webview/**/*.test.ts'] },
  { name: 'extension host', command: script('testHost.ts') },
  { name: 'end to end', command: script('testJourneys.ts') },
];

/** Installs what the stages need beyond the root's packages. */
function prepare(): void {
  generate();
  ensureInstalled(fromRoot('test', 'publicClient'));
  ensureCodeServer();
  ensureChromium();
}

/**
 * Every test there is, stage by stage; a failed stage does not keep the others from running. The
 * last line is `N passed, N failed`, added up over all of them.
 */
async function main(): Promise<void> {
  const tallies: Tally[] = [];
  try {
    prepare();
  } catch (error) {
    // The stages that need what is missing fail by themselves; the others still tell something.
    console.error(error instanceof Error ? error.message : error);
    tallies.push({ passed: 0, failed: 1 });
  }
  const lines: string[] = [];
  const failures: string[] = [];
  for (const stage of stages) {
    console.log(`\n=== ${stage.name}`);
    const result = await runStage(stage, { echo: true });
    lines.push(stageLine(result), ...flakyLines(result.output));
    tallies.push(tally(result));
    if (result.exitCode !== 0) failures.push(`${stage.name}: ${failureText(result.output).trim()}`);
  }
  // Once more at the end, where it is found without going through everything.
  if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
  const { passed, failed } = sum(tallies);
  console.log(`\n${lines.join('\n')}`);
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`${passed} passed, ${failed} failed`);
}

main().catch((error: unknown) => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
