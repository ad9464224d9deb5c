import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { forwardLines } from '../../../src/moduleRun/moduleProcess';
import { waitUntil } from '../../support/waitUntil';

/** Returns the lines of an output that arrives in chunks. */
async function collectLines(
  ...chunks: readonly (string | Uint8Array)[]
): Promise<readonly string[]> {
  const output = new PassThrough();
  const lines: string[] = [];
  forwardLines(output, (line) => lines.push(line));
  const closed = once(output, 'close');
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await closed;
  return lines;
}

describe('forwardLines', () => {
  it('ends lines at every kind of line break, also between two chunks', async () => {
    assert.deepEqual(await collectLines('one\ntwo\r', '\nthree\rfo', 'ur\n\nsix'), [
      ...['one', 'two', 'three', 'four', '', 'six'],
    ]);
    assert.deepEqual(await collectLines('\r', 'one\n'), ['', 'one']);
  });

  it('preserves characters that arrive in chunks', async () => {
    const bytes = Buffer.from('Größe\n');
    assert.deepEqual(await collectLines(...[...bytes].map((byte) => Uint8Array.of(byte))), [
      'Größe',
    ]);
  });

  it('truncates a long line immediately, and continues with the next', async () => {
    const output = new PassThrough();
    const lines: string[] = [];
    forwardLines(output, (line) => lines.push(line));
    output.write(`${'x'.repeat(9_999)}😀${'y'.repeat(50_000)}`);
    await waitUntil(() => lines.length > 0);
    const cut = `${'x'.repeat(9_999)} […]`;
    assert.deepEqual(lines, [cut]);
    output.end('yyy\nnext\n');
    await waitUntil(() => lines.length > 1);
    assert.deepEqual(lines, [cut, 'next']);
  });

  it('preserves a line of exactly the limit', async () => {
    assert.deepEqual(await collectLines('x'.repeat(10_000), '\n', 'next'), [
      'x'.repeat(10_000),
      'next',
    ]);
  });

  it('shows the beginning of a line whose output is destroyed', async () => {
    const output = new PassThrough();
    const lines: string[] = [];
    forwardLines(output, (line) => lines.push(line));
    const written = once(output, 'data');
    output.write('no end');
    await written;
    output.destroy();
    await waitUntil(() => lines.length > 0);
    assert.deepEqual(lines, ['no end']);
  });
});
