import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostGrepVariable, hostResultVariable, type HostResult } from './hostResult';

/**
 * Time limit that only prevents hanging: when other stages run concurrently, tests take several
 * times as long.
 */
const testLimitMs = 120_000;

/**
 * Entry point that the extension host calls to run the suite. Rejects if a test fails, as VS Code
 * expects; the outcome of each test is written to the runner's file, because this process has no
 * terminal.
 */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    timeout: testLimitMs,
    forbidOnly: true,
    forbidPending: true,
    grep: process.env[hostGrepVariable] ?? '',
  });
  mocha.addFile(join(__dirname, 'tests.js'));
  const results: HostResult[] = [];
  await new Promise<void>((resolve, reject) => {
    mocha
      .run((failures) => {
        const file = process.env[hostResultVariable];
        if (file !== undefined) writeFileSync(file, JSON.stringify(results));
        if (failures === 0) resolve();
        else reject(new Error(`${failures} failed`));
      })
      .on('pass', (test) =>
        results.push({ title: test.fullTitle(), milliseconds: test.duration ?? 0 }),
      )
      .on('fail', (test, error: Error) =>
        results.push({
          title: test.fullTitle(),
          milliseconds: test.duration ?? 0,
          error: error.stack ?? error.message,
        }),
      );
  });
}
