import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartialFile } from '../../../../src/host/platform/partialFile';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function* inUpperCase(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield encoder.encode('head\n');
  for await (const piece of content) yield encoder.encode(decoder.decode(piece).toUpperCase());
}

describe('a file in the making', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-partial-'));
    path = join(folder, 'readings.csv');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('takes the place of an older one when it is whole, and not before', async () => {
    writeFileSync(path, 'older');
    const file = await PartialFile.create(path);
    await file.write(encoder.encode('new'));
    assert.equal(readFileSync(path, 'utf8'), 'older');
    await file.finish();
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.deepEqual(readdirSync(folder), ['readings.csv']);
  });

  it('can be written anew from what is in it, from any byte on', async () => {
    const file = await PartialFile.create(path);
    const many = 'ab'.repeat(1_500_000);
    await file.write(encoder.encode(`skipped${many}`));
    await file.rewrite(7, inUpperCase);
    await file.write(encoder.encode('end'));
    await file.finish();
    assert.equal(readFileSync(path, 'utf8'), `head\n${many.toUpperCase()}end`);
    assert.deepEqual(readdirSync(folder), ['readings.csv']);
  });

  it('leaves what was there before when it is given up, also while it is written anew', async () => {
    writeFileSync(path, 'older');
    const file = await PartialFile.create(path);
    await file.write(encoder.encode('new'));
    const failing = (): AsyncIterable<Uint8Array> => {
      throw new Error('out of order');
    };
    await assert.rejects(file.rewrite(0, failing));
    await file.discard();
    assert.deepEqual(readdirSync(folder), ['readings.csv']);
    assert.equal(readFileSync(path, 'utf8'), 'older');
  });

  it('says why it cannot be begun', async () => {
    await assert.rejects(PartialFile.create(join(folder, 'none', 'readings.csv')), /ENOENT/);
  });
});
