import '../../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { RunOutput } from '../../../../../../src/host/features/modules/build/runProcess';
import { waitUntil } from '../../../../../support/waitUntil';

describe('RunOutput', () => {
  let text: string;
  let writes: number;
  let output: RunOutput;

  beforeEach(() => {
    [text, writes] = ['', 0];
    output = new RunOutput({
      append: (added) => {
        [text, writes] = [text + added, writes + 1];
      },
      replace: (all) => {
        [text, writes] = [all, writes + 1];
      },
      show: () => undefined,
      dispose: () => undefined,
    });
  });

  afterEach(() => output.dispose());

  const lines = (): readonly string[] => text.trimEnd().split('\n');
  const numbered = (start: number, end: number): readonly string[] =>
    Array.from({ length: end - start }, (_, index) => `line ${start + index}`);

  it('buffers the lines of a module, and writes them before a message', async () => {
    for (const line of numbered(0, 500)) output.log([line], 0);
    output.appendLine('Stopped');
    assert.deepEqual(lines(), [...numbered(0, 500), 'Stopped']);
    assert.equal(writes, 1);
    output.log(['last'], 0);
    await waitUntil(() => lines().at(-1) === 'last');
  });

  it('retains the last lines, and reports how many were dropped', () => {
    for (let start = 0; start < 300_000; start += 1_000) {
      output.log(numbered(start, start + 1_000), 0);
      if (start % 50_000 === 0) output.appendLine('Calling DoCommand');
    }
    output.appendLine('Stopped');
    const [note = '', ...rest] = lines();
    assert.ok(rest.length <= 12_500, String(rest.length));
    assert.equal(rest.at(-1), 'Stopped');
    assert.equal(rest.at(-2), 'line 299999');
    const dropped = 300_007 - rest.length;
    assert.equal(note, `[${dropped.toLocaleString('en')} earlier lines were dropped]`);
  });

  it('drops what precedes lines that were dropped in transit', () => {
    output.log(['one', 'two'], 0);
    output.log(['six'], 3);
    output.appendLine('Stopped');
    assert.deepEqual(lines(), ['[5 earlier lines were dropped]', 'six', 'Stopped']);
  });
});
