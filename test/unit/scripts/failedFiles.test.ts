import assert from 'node:assert/strict';
import { failedFileLine, failedFiles } from '../../../scripts/support/failedFiles';

describe('files with tests that failed', () => {
  it('are found again in what a run wrote, once each', () => {
    const lines = ['test/contract/a.test.ts', 'test/contract/b.test.ts', 'test/contract/a.test.ts'];
    const output = `  2 failing\n\n${lines.map(failedFileLine).join('\n')}\nthe end\n`;
    assert.deepEqual(failedFiles(output), ['test/contract/a.test.ts', 'test/contract/b.test.ts']);
  });

  it('are none where no line names one', () => {
    assert.deepEqual(failedFiles('  3 passing\n a FAILED FILE  x\n'), []);
  });
});
