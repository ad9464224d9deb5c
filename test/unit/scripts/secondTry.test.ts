import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flakyLines, flakyText, runUpToTwice } from '../../../scripts/support/secondTry';
import { tally } from '../../../scripts/support/tally';

const failing = '  2 passing (1s)\n  1 failing\n\n  1) a journey:\n     Error: no such row\n';

describe('a second try', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-second-try-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A stage whose tries end with these exit codes and words, one after the other. */
  function stage(name: string, ...tries: readonly { exitCode: number; output: string }[]) {
    const file = join(folder, `${name}.mjs`);
    const counter = JSON.stringify(join(folder, `${name}.tries`));
    writeFileSync(
      file,
      `import { appendFileSync, readFileSync } from 'node:fs';
      appendFileSync(${counter}, '.');
      const { exitCode, output } = ${JSON.stringify(tries)}[readFileSync(${counter}).length - 1];
      process.stdout.write(output);
      process.exitCode = exitCode;`,
    );
    return runUpToTwice({ name, command: [process.execPath, file] }, { echo: false });
  }

  it('is not made of what passes', async () => {
    const tried = await stage('passes', { exitCode: 0, output: '  3 passing (1s)\n' });
    assert.equal(tried.firstFailure, undefined);
    assert.deepEqual(tally(tried.result), { passed: 3, failed: 0 });
  });

  it('counts alone when it passes, and keeps what the first one said of the failure', async () => {
    const tried = await stage(
      'flickers',
      { exitCode: 1, output: failing },
      { exitCode: 0, output: '  3 passing (1s)\n' },
    );
    assert.deepEqual(tally(tried.result), { passed: 3, failed: 0 });
    assert.match(tried.firstFailure ?? '', /^\s*1 failing[^]*a journey[^]*no such row$/);
  });

  it('is the last: what fails in it has failed', async () => {
    const tried = await stage(
      'fails',
      { exitCode: 1, output: failing },
      { exitCode: 1, output: failing },
      { exitCode: 0, output: '  3 passing (1s)\n' },
    );
    assert.equal(tried.firstFailure, undefined);
    assert.deepEqual(tally(tried.result), { passed: 2, failed: 1 });
  });

  it('keeps the last lines of what ended without counting', async () => {
    const tried = await stage(
      'crashes',
      { exitCode: 139, output: 'Segmentation fault\n' },
      { exitCode: 0, output: '  3 passing (1s)\n' },
    );
    assert.equal(tried.firstFailure, 'Segmentation fault');
  });

  it('is told in one line that can be found again, above the words of the first', () => {
    const text = flakyText('inviteMember', failing);
    const [headline = '', ...words] = text.split('\n');
    assert.match(headline, /^FLAKY {2}inviteMember: /);
    assert.ok(words.every((line) => line.startsWith('  | ')));
    assert.deepEqual(flakyLines(`before\n\u001b[31m${text}\u001b[39m\nafter\n`), [headline]);
    assert.deepEqual(flakyLines('a FLAKY  thing\n'), []);
  });
});
