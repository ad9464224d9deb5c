import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCanceled } from '../../../../../src/core/api/errors';
import { lineChunks, writeChunks } from '../../../../../src/host/features/logs/lineChunks';
import {
  formatNdjsonItem,
  formatNewest,
  itemsBetween,
  type LineLabels,
} from '../../../../../src/host/features/logs/lineText';
import { gapItem, lineItem, partItem } from './logItems';

const LINES = 20_000;

const labels: LineLabels = { part: () => partItem(), label: () => 'rover-07', gap: () => 'gap' };
const items = Array.from({ length: LINES }, (_, n) => lineItem({ key: n, message: `line ${n}` }));

describe('the export of log lines', () => {
  let folder: string;
  let path: string;
  const { signal } = new AbortController();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-export-'));
    path = join(folder, 'lines.ndjson');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('writes every line in order, and reports its progress', async () => {
    const progress: number[] = [];
    await writeChunks(
      path,
      lineChunks(items, formatNdjsonItem, labels, (done) => progress.push(done)),
      signal,
    );
    const messages = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { message: string }).message);
    assert.deepEqual(
      messages,
      items.map(({ message }) => message),
    );
    assert.equal(progress.at(-1), LINES);
    assert.ok(progress.length > 10);
    assert.deepEqual(readdirSync(folder), ['lines.ndjson']);
  });

  it('reads no more text than the disk has written', async () => {
    let [taken, yielded] = [0, 0];
    function* chunks(): Generator<string> {
      for (yielded = 0; yielded < 100; yielded += 1) yield 'x'.repeat(100_000);
    }
    const half = new AbortController();
    const writing = writeChunks(
      path,
      (function* () {
        for (const chunk of chunks()) {
          yield chunk;
          taken += 1;
          if (taken === 10) half.abort();
        }
      })(),
      half.signal,
    );
    await assert.rejects(writing, isCanceled);
    assert.ok(taken < 20, `${taken} of ${yielded} chunks were taken after the end`);
  });

  it('preserves the existing file when the user cancels, and leaves no partial file', async () => {
    writeFileSync(path, 'before');
    const leaving = new AbortController();
    const chunks = lineChunks(items, formatNdjsonItem, labels, () => leaving.abort());
    await assert.rejects(writeChunks(path, chunks, leaving.signal), isCanceled);
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['lines.ndjson']);
  });

  it('passes on errors of the file system', async () => {
    const missing = join(folder, 'none', 'lines.log');
    await assert.rejects(writeChunks(missing, ['a'], signal), { code: 'ENOENT' });
  });
});

describe('the newest lines within the limits', () => {
  it('are limited by their number and by their length', () => {
    const all = { lines: 100_000, characters: 100_000_000 };
    const whole = formatNewest(items, labels, all);
    assert.deepEqual([whole.lines, whole.of], [LINES, LINES]);
    assert.match(whole.text, /^2026.* line 0\n/);

    const few = formatNewest(items, labels, { ...all, lines: 3 });
    assert.deepEqual([few.lines, few.of], [3, LINES]);
    assert.match(few.text, /line 19997\n.*line 19998\n.*line 19999\n$/);

    const short = formatNewest(items, labels, { ...all, characters: 1_000 });
    assert.ok(short.text.length <= 1_000 && short.lines > 5);
    assert.match(short.text, /line 19999\n$/);
  });

  it('do not count gaps as lines', () => {
    const text = formatNewest([lineItem(), gapItem()], labels, { lines: 1, characters: 1_000 });
    assert.deepEqual([text.lines, text.of], [1, 1]);
    assert.match(text.text, /Moved\.\n# .* gap\n$/);
  });

  it('are those between two rows, in either order', () => {
    const keys = (from: number, to: number) => itemsBetween(items, from, to).map(({ key }) => key);
    assert.deepEqual(keys(3, 5), [3, 4, 5]);
    assert.deepEqual(keys(5, 3), [3, 4, 5]);
    assert.deepEqual(keys(7, 7), [7]);
    assert.deepEqual(keys(7, LINES), []);
  });
});
