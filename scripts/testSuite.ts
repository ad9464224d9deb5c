import { failedFiles } from './support/failedFiles';
import { fromRoot } from './support/paths';
import { failureText, flakyText } from './support/secondTry';
import { runStage } from './support/stages';
import { tally } from './support/tally';

/** More than a busy machine explains. */
const mostFilesAgain = 4;

const reporter = fromRoot('scripts', 'support', 'fileReporter.ts');

/**
 * Runs the tests of a pattern in one process, and the files of those that failed once more in another: they
 * start real processes, databases and browsers, which a busy machine holds up. What passes only then is told
 * as FLAKY. The last line is `N passed, N failed`.
 */
async function main(pattern: string): Promise<void> {
  const first = await runStage(
    { name: pattern, command: ['mocha', '--reporter', reporter, pattern] },
    { echo: true },
  );
  let { passed, failed } = tally(first);
  const files = failedFiles(first.output);
  if (files.length > 0 && files.length <= mostFilesAgain) {
    console.log('\nFailed; its files once more.');
    const second = await runStage({ name: pattern, command: ['mocha', ...files] }, { echo: true });
    const again = tally(second);
    passed += Math.max(0, failed - again.failed);
    failed = again.failed;
    if (failed === 0) {
      console.log(`\n${flakyText(files.join(', '), failureText(first.output))}`);
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
