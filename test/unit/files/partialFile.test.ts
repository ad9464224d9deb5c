import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartialFile } from '../../../src/files/partialFile';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function* inUpperCase(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield encoder.encode('head\n');
  for await (const chunk of content) yield encoder.encode(decoder.decode(chunk).toUpperCase());
}

describe('PartialFile', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-partial-'));
    path = join(folder, 'readings.csv');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('replaces an older file when it is complete, and not before', async () => {
    writeFileSync(path, 'older');
    const file = await PartialFile.create(path);
    await file.write(encoder.encode('new'));
    assert.equal(readFileSync(path, 'utf8'), 'older');
    await file.finish();
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.deepEqual(readdirSync(folder), ['readings.csv']);
  });

  it('can be rewritten from its own content, from any byte on', async () => {
    const file = await PartialFile.create(path);
    const many = 'ab'.repeat(1_500_000);
    await file.write(encoder.encode(`skipped${many}`));
    await file.rewrite(7, inUpperCase);
    await file.write(encoder.encode('end'));
    await file.finish();
    assert.equal(readFileSync(path, 'utf8'), `head\n${many.toUpperCase()}end`);
    assert.deepEqual(readdirSync(folder), ['readings.csv']);
  });

  it('preserves the existing file when it is discarded, also during a rewrite', async () => {
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

  it('deletes what an exited process left, and nothing else', async () => {
    const uuid = '0b0e7f0e-3a5f-4a55-9a53-0d9c0f6d5a10';
    // The number is larger than any process ID.
    const [ended, other] = [`other.csv.${2 ** 31 - 1}-${uuid}.part`, `mine.${uuid}.part`];
    const running = `other.csv.${process.pid}-${uuid}.part`;
    const fresh = `fresh.csv.${2 ** 31 - 1}-${uuid}.part`;
    for (const name of [ended, other, running, fresh]) writeFileSync(join(folder, name), '');
    const long = new Date(Date.now() - 3_600_000);
    for (const name of [ended, other, running]) utimesSync(join(folder, name), long, long);
    const file = await PartialFile.create(path);
    await file.finish();
    assert.deepEqual(readdirSync(folder).sort(), [fresh, other, running, 'readings.csv'].sort());
  });

  it('reports why it cannot be created', async () => {
    await assert.rejects(PartialFile.create(join(folder, 'none', 'readings.csv')), /ENOENT/);
  });
});
