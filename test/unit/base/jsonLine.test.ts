import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { jsonLine } from '../../../src/base/jsonLine';

describe('jsonLine', () => {
  it('returns one line for any line breaks in its texts', async () => {
    const value = { name: 'a\u2028b\u2029c\u0085d\r\ne', labels: ['ä', '\u2028'] };
    const input = Readable.from([Buffer.from(`${jsonLine(value)}\n`)]);
    const lines: string[] = [];
    for await (const line of createInterface({ input })) lines.push(line);
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines[0] ?? '', /[\u0085\u2028\u2029]/);
    assert.deepEqual(JSON.parse(lines[0] ?? ''), value);
  });
});
