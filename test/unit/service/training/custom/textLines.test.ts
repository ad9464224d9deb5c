import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { textLines } from '../../../../../src/service/training/custom/customTrainer';

async function collectLines(
  chunks: readonly (string | Uint8Array)[],
  everyMs = 0,
): Promise<string[]> {
  let now = 0;
  const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const lines = textLines(bytes, () => {
    now += everyMs;
    return now;
  });
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('lines of program output', () => {
  it('exclude empty lines, and include a last one without an end', async () => {
    assert.deepEqual(await collectLines(['one\n\n  two  \r\nthr', 'ee\r', '\nfour']), [
      'one',
      '  two',
      'three',
      'four',
    ]);
  });

  it('preserve characters that arrive in chunks', async () => {
    const bytes = Buffer.from('Größe\n');
    assert.deepEqual(await collectLines([...bytes].map((byte) => Uint8Array.of(byte))), ['Größe']);
  });

  it('are reported from time to time while they are overwritten, and when they end', async () => {
    const bar = ['\r 1%', '\r 2%', '\r 3%', '\r 4%', '\r100%\n', 'done\n'];
    assert.deepEqual(await collectLines(bar, 2_000), [' 1%', ' 4%', '100%', 'done']);
    assert.deepEqual(await collectLines(['\r50%', '\r99%\r'], 1), ['50%', '99%']);
  });

  it('contain no terminal commands, and nothing that databases cannot store', async () => {
    assert.deepEqual(
      await collectLines(['\u001B[31mred\u001B[0m\0\u0008 and \ttab\u001B]0;title\u0007\n']),
      ['red and \ttab'],
    );
  });

  it('are truncated if they are long', async () => {
    const lines = await collectLines(['x'.repeat(9_000), 'y\n']);
    assert.deepEqual(
      lines.map(({ length }) => length),
      [4_000, 4_000, 1_001],
    );
  });
});
