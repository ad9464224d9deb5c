import assert from 'node:assert/strict';
import { extractFailures, sum, tally } from '../../../scripts/support/tally';

describe('tally', () => {
  it("parses mocha's closing lines", () => {
    const output = '  12 passing (3s)\n  2 failing\n\n  1) a\n';
    assert.deepEqual(tally({ output, exitCode: 2 }), { passed: 12, failed: 2 });
  });

  it('parses the closing line of this repository, colored or not', () => {
    const output = '\u001b[32mpassed\u001b[39m lint\n9 passed, 1 failed\n';
    assert.deepEqual(tally({ output, exitCode: 1 }), { passed: 9, failed: 1 });
  });

  it('counts a stage without its own tests as one', () => {
    assert.deepEqual(tally({ output: 'done', exitCode: 0 }), { passed: 1, failed: 0 });
    assert.deepEqual(tally({ output: 'oh', exitCode: 1 }), { passed: 0, failed: 1 });
  });

  it('counts a crash after successful tests as one failure', () => {
    const output = '  3 passing (1s)\nSegmentation fault\n';
    assert.deepEqual(tally({ output, exitCode: 139 }), { passed: 3, failed: 1 });
  });

  it('adds results', () => {
    const total = sum([
      { passed: 1, failed: 2 },
      { passed: 3, failed: 4 },
    ]);
    assert.deepEqual(total, { passed: 4, failed: 6 });
  });
});

describe('extractFailures', () => {
  it('starts with the failures that mocha counts', () => {
    const output =
      '  ✔ passes\n  2 passing (1s)\n  1 failing\n\n  1) a journey:\n     Error: no such row\n';
    assert.match(extractFailures(output), /^\s*1 failing[^]*no such row$/);
  });

  it('returns the end of the output of a program that failed without mocha', () => {
    const output = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    assert.equal(extractFailures(output).split('\n').length, 40);
  });
});
