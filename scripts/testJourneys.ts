import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { root } from './support/paths';
import { flakyText, runUpToTwice } from './support/secondTry';
import { sum, tally, type Tally } from './support/tally';

/**
 * Runs the journeys one file after the other, each in a VS Code of its own. The steps of a file build
 * on one another, so a file that failed is run once more as a whole; what passes only then is told
 * as FLAKY. Takes the files to run, or runs all. The last line is `N passed, N failed`.
 */
async function main(given: readonly string[]): Promise<void> {
  const files = given.length > 0 ? given : globSync('test/e2e/*.test.ts', { cwd: root }).toSorted();
  const tallies: Tally[] = [];
  const flaky: string[] = [];
  for (const file of files) {
    const name = basename(file, '.test.ts');
    const tried = await runUpToTwice(
      { name, command: ['mocha', '--timeout=120000', file] },
      { echo: true },
    );
    tallies.push(tally(tried.result));
    if (tried.firstFailure !== undefined) flaky.push(flakyText(name, tried.firstFailure));
  }
  for (const text of flaky) console.log(`\n${text}`);
  const { passed, failed } = sum(tallies);
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${passed} passed, ${failed} failed`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
