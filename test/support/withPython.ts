import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { Suite } from 'mocha';

/**
 * Declares tests that run real Python programs. Without Python 3, a single test with the suite's
 * title reports that Python is missing; in CI, that test fails.
 */
export function describeWithPython(title: string, tests: (this: Suite) => void): void {
  if (spawnSync('python3', ['--version']).status === 0) {
    describe(title, tests);
    return;
  }
  it(`${title}: not tested, because python3 does not run here`, () => {
    assert.ok(!process.env.CI, 'CI needs Python 3 on the PATH to test how training scripts run');
  });
}
