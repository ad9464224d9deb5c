import type { JsonObject } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { FleetError } from '../../../../src/core/api/errors';
import {
  exportReadings,
  type ReadingsExport,
} from '../../../../src/core/data/export/exportReadings';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import type { ReadingsStore } from '../../../../src/core/stores/readingsStore';
import { englishWorkbook } from '../../../support/englishWorkbook';
import { MemoryExportFile } from './memoryExportFile';
import { NOON, openReadingsFleet, type ReadingsFleet } from './readingsFleet';

describe('the export of readings', () => {
  let fleet: ReadingsFleet;
  let file: MemoryExportFile;

  beforeEach(async () => {
    fleet = await openReadingsFleet();
    file = new MemoryExportFile();
  });

  afterEach(() => fleet.close());

  function write(
    options: Partial<ReadingsExport> = {},
    store: Pick<ReadingsStore, 'page'> = fleet.stores.readings,
  ): Promise<number> {
    return exportReadings(store, {
      filter: everyCapture,
      order: 'oldestFirst',
      format: 'csv',
      file,
      workbook: englishWorkbook,
      signal: new AbortController().signal,
      sleep: () => Promise.resolve(),
      onProgress: () => undefined,
      ...options,
    });
  }

  const rows = (): string[][] => parse(file.text);

  it('distinguishes texts, numbers, booleans, null, and missing values in CSV', async () => {
    await fleet.capture([
      { readings: { a: 1.5, b: 'x,"y"\r\nz', c: true, d: null, e: [1, 'two'], f: {} } },
      { readings: { a: '1.5', b: '', c: false } },
    ]);
    assert.equal(await write(), 2);
    const head = '"time","machine","part","component","method","tags"';
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `"data.readings.${name}"`);
    const source = `"'=arm-1","'=arm-1-main","mast","Readings",`;
    assert.equal(
      file.text,
      [
        `${head},${names.join(',')}`,
        `"2026-11-21T12:00:00.000000Z",${source},1.5,"x,""y""\r\nz",true,null,"[1,""two""]","{}"`,
        `"2026-11-21T12:00:01.000000Z",${source},"1.5","",false,,,`,
        '',
      ].join('\r\n'),
    );
  });

  it('guards against formulas, but does not change numbers', async () => {
    const harmful = ['=1+1', '+x', '-x', '@SUM(A1)', '\tx', '\rx', '＝1', '-1+2'];
    const harmless = ['-1.5e3', '+4', 'a=1', ' =1', '', "'=1"];
    await fleet.capture([...harmful, ...harmless].map((text) => ({ text })));
    await fleet.capture([{ text: -5 }], { from: NOON + 100_000 });
    await write();
    const cells = rows()
      .slice(1)
      .map((row) => row.at(-1));
    assert.deepEqual(cells, [...harmful.map((text) => `'${text}`), ...harmless, '-5']);
  });

  it('writes lines of equal length even if columns appear late, regardless of chunk size', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ a: `"quoted"\r\n,${n}` }));
    await fleet.capture(many);
    await fleet.capture([{ b: 1 }], { from: NOON + 2_000_000 });
    for (const chunkBytes of [11, 100_000]) {
      file = new MemoryExportFile(chunkBytes);
      assert.equal(await write(), 1_001);
      const [names, ...lines] = rows();
      assert.deepEqual(names?.slice(-2), ['data.a', 'data.b']);
      assert.deepEqual(lines[7]?.slice(-2), ['"quoted"\r\n,7', '']);
      assert.deepEqual(lines.at(-1)?.slice(-2), ['', '1']);
      assert.equal(file.rewritten, 1);
    }
  });

  it('copies nothing if all columns are in the first rows', async () => {
    await fleet.capture([{ a: 1, b: 2 }, { a: 3 }]);
    await write();
    assert.equal(file.rewritten, 0);
    assert.deepEqual(rows().at(-1)?.slice(-2), ['3', '']);
  });

  it('writes values without a column to the last one, as JSON', async () => {
    const wide: JsonObject = Object.fromEntries(
      Array.from({ length: 2_005 }, (_, n) => [`k${n}`, n]),
    );
    await fleet.capture([{ k0: 0 }, wide]);
    await write();
    const [names, , last] = rows();
    assert.equal(names?.length, 6 + 2_000 + 1);
    assert.equal(names.at(-1), 'data (further)');
    const overflow = JSON.parse(last?.at(-1) ?? '') as object;
    assert.deepEqual(Object.keys(overflow)[0], 'data.k2000');
    assert.equal(Object.keys(overflow).length, 5);
  });

  it('writes NDJSON and a JSON array with the original payloads', async () => {
    const payload = JSON.parse('{"a.b":{"c":[1,null]},"text":"=1"}') as JsonObject;
    await fleet.capture([payload, payload], { tags: ['night'] });
    await write({ format: 'ndjson' });
    const lines = file.text.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    const first = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    assert.deepEqual(first.data, payload);
    assert.deepEqual(
      [first.time, first.component, first.tags, first.partId],
      ['2026-11-21T12:00:00.000000Z', 'mast', ['night'], fleet.part],
    );
    file = new MemoryExportFile();
    await write({ format: 'json' });
    assert.deepEqual((JSON.parse(file.text) as unknown[])[0], first);
  });

  it('is a valid file even without rows', async () => {
    assert.equal(await write(), 0);
    assert.equal(rows().length, 1);
    file = new MemoryExportFile();
    await write({ format: 'json' });
    assert.deepEqual(JSON.parse(file.text), []);
    file = new MemoryExportFile();
    await write({ format: 'ndjson' });
    assert.equal(file.text, '');
  });

  it('continues with smaller pages after the connection drops', async () => {
    await fleet.capture(Array.from({ length: 1_200 }, (_, n) => ({ n })));
    const waits: number[] = [];
    const limits: number[] = [];
    let fails = 2;
    const store: Pick<ReadingsStore, 'page'> = {
      page: (request, signal) => {
        if (request.after !== undefined && fails-- > 0) {
          return Promise.reject(new FleetError('unavailable', 'gone'));
        }
        limits.push(request.limit);
        return fleet.stores.readings.page({ ...request, limit: 500 }, signal);
      },
    };
    const sleep = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    assert.equal(await write({ sleep }, store), 1_200);
    assert.deepEqual(
      rows()
        .slice(1)
        .map((row) => Number(row.at(-1))),
      Array.from({ length: 1_200 }, (_, n) => n),
    );
    assert.deepEqual(
      [waits, limits.slice(0, 2)],
      [
        [1_000, 2_000],
        [10_000, 2_500],
      ],
    );
  });

  it('fails if the service stays unavailable, and immediately if it rejects the call', async () => {
    let calls = 0;
    const failing = (kind: 'unavailable' | 'permission'): Pick<ReadingsStore, 'page'> => ({
      page: () => {
        calls += 1;
        return Promise.reject(new FleetError(kind, 'no'));
      },
    });
    await assert.rejects(write({}, failing('unavailable')), FleetError);
    assert.equal(calls, 7);
    await assert.rejects(write({}, failing('permission')), FleetError);
    assert.equal(calls, 8);
  });

  it('stops when it is canceled', async () => {
    await fleet.capture(Array.from({ length: 3_000 }, (_, n) => ({ n })));
    const controller = new AbortController();
    const progress: [number, number][] = [];
    const onProgress = (done: number, of: number): void => {
      progress.push([done, of]);
      controller.abort();
    };
    await assert.rejects(write({ signal: controller.signal, onProgress }));
    assert.deepEqual(progress, [[1_000, 3_000]]);
  });
});
