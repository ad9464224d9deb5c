import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { exportReadings } from '../../../../src/core/data/export/exportReadings';
import type { RecordFormat } from '../../../../src/core/data/export/writeRecords';
import type { FileSource } from '../../../../src/core/data/uploads/fileSource';
import { inspectReadings } from '../../../../src/core/data/uploads/readings/inspectReadings';
import { openReadings } from '../../../../src/core/data/uploads/readings/openReadings';
import {
  type ReadingsPlan,
  uploadReadings,
} from '../../../../src/core/data/uploads/readings/uploadReadings';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import type { Reading } from '../../../../src/core/model/reading';
import type { UploadOrigin, UploadStore } from '../../../../src/core/stores/uploadStore';
import { englishWorkbook } from '../../../support/englishWorkbook';
import { MemoryExportFile } from './memoryExportFile';
import { inMemory, type UploadsFleet } from './uploadsFleet';

const { signal } = new AbortController();
const START = Date.UTC(2026, 0, 2) * 1_000;

describe('uploading readings of a file', () => {
  let fleet: UploadsFleet;
  let origin: UploadOrigin;

  beforeEach(async () => {
    fleet = await inMemory();
    origin = {
      partId: fleet.part,
      componentName: 'probe',
      method: 'Readings',
      componentType: 'rdk:component:sensor',
    };
  });

  afterEach(() => fleet.close());

  async function plan(source: FileSource): Promise<ReadingsPlan> {
    const layout = await openReadings(source, signal);
    const [[column, form] = assert.fail('no column is a time')] = layout.times;
    const time = { column, form, zone: 'utc' } as const;
    const { types } = await inspectReadings(layout, time, signal);
    return { layout, time, types, origin, tags: ['bench'] };
  }

  async function stored(): Promise<readonly Reading[]> {
    const request = { filter: everyCapture, order: 'oldestFirst', limit: 10_000 } as const;
    return (await fleet.stores.readings.page(request)).readings;
  }

  const rows = (count: number): string =>
    `time,celsius\n${Array.from({ length: count }, (_, index) => `${1_767_312_000 + index},${index}\n`).join('')}`;

  it('stores every row once, under the key of sensors', async () => {
    const outcome = await uploadReadings(
      fleet.stores.uploads,
      await plan(file('a.csv', rows(2_500))),
      {
        signal,
      },
    );
    assert.equal(outcome.stored, 2_500);
    assert.deepEqual([outcome.failed, outcome.notStarted], [[], []]);
    const readings = await stored();
    assert.deepEqual(
      readings.map(({ at, data }) => ({ at, data })),
      Array.from({ length: 2_500 }, (_, index) => ({
        at: START + index * 1_000_000,
        data: { readings: { celsius: index } },
      })),
    );
    assert.deepEqual(readings[0]?.tags, ['bench']);
    assert.equal(readings[0].source.componentName, 'probe');
  });

  it('reports a failed batch by its lines, and does not duplicate the others in a retry', async () => {
    let calls = 0;
    const flaky: Pick<UploadStore, 'readings'> = {
      readings: (...call) => {
        calls += 1;
        if (calls === 2) return Promise.reject(new FleetError('invalid', 'No.'));
        return fleet.stores.uploads.readings(...call);
      },
    };
    const uploadPlan = await plan(file('a.csv', rows(4_500)));
    const first = await uploadReadings(flaky, uploadPlan, { signal });
    const [failed] = first.failed;
    assert.equal(first.failed.length, 1);
    assert.equal(first.stored, 3_500);
    assert.deepEqual([failed?.firstLine, failed?.lastLine, failed?.count], [1_002, 2_001, 1_000]);
    assert.equal(failed?.isUncertain, false);

    const second = await uploadReadings(flaky, uploadPlan, { signal, done: first.done });
    assert.equal(second.stored, 1_000);
    assert.deepEqual(
      (await stored()).map(({ at }) => (at - START) / 1_000_000),
      Array.from({ length: 4_500 }, (_, index) => index),
    );
  });

  it('stops when nothing succeeds, and reports where', async () => {
    const dead: Pick<UploadStore, 'readings'> = {
      readings: () => Promise.reject(new FleetError('unavailable', 'Nobody there.')),
    };
    const outcome = await uploadReadings(dead, await plan(file('a.csv', rows(20_000))), { signal });
    assert.ok(outcome.failed.length >= 3 && outcome.failed.length <= 4);
    assert.ok(outcome.failed.every(({ isUncertain }) => isUncertain));
    const failed = outcome.failed.length * 1_000;
    assert.deepEqual(outcome.notStarted, [
      { firstLine: failed + 2, lastLine: 20_001, count: 20_000 - failed, component: 'probe' },
    ]);
  });

  it('reports that rows could be stored if a sign-out interrupted the call', async () => {
    const failures = [
      new FleetError('unauthenticated', 'You are signed out.', {
        cause: new FleetError('unavailable', 'The connection was closed.'),
      }),
      new FleetError('unauthenticated', 'You are signed out.'),
    ];
    const uploadPlan = await plan(file('a.csv', rows(1)));
    for (const [index, error] of failures.entries()) {
      const store = { readings: () => Promise.reject(error) };
      const { failed } = await uploadReadings(store, uploadPlan, { signal });
      assert.deepEqual(
        failed.map(({ isUncertain }) => isUncertain),
        [index === 0],
      );
    }
  });

  it('stops when it is canceled, and continues from there', async () => {
    const controller = new AbortController();
    const uploadPlan = await plan(file('a.csv', rows(6_000)));
    const onProgress = (): void => controller.abort();
    const first = await uploadReadings(fleet.stores.uploads, uploadPlan, {
      signal: controller.signal,
      onProgress,
    });
    assert.ok(first.stored >= 1_000 && first.stored < 6_000);
    const { stored: count } = first;
    assert.deepEqual(first.notStarted, [
      { firstLine: count + 2, lastLine: 6_001, count: 6_000 - count, component: 'probe' },
    ]);
    const second = await uploadReadings(fleet.stores.uploads, uploadPlan, {
      signal,
      done: first.done,
    });
    assert.equal(first.stored + second.stored, 6_000);
    assert.equal((await stored()).length, 6_000);
  });

  it('lists the unsent rows for each resource, including a rare one', async () => {
    const time = new Date(START / 1_000).toISOString();
    const lines = Array.from({ length: 3_000 }, (_, index) => {
      const component = index % 1_000 === 0 ? 'rare' : 'usual';
      return JSON.stringify({ time, component, partId: fleet.part, data: { celsius: index } });
    });
    const uploadPlan = await plan(file('a.ndjson', lines.join('\n')));
    const canceled = AbortSignal.abort();
    const outcome = await uploadReadings(fleet.stores.uploads, uploadPlan, { signal: canceled });
    assert.deepEqual(outcome.notStarted, [
      { firstLine: 1, lastLine: 2_001, count: 3, component: 'rare' },
      { firstLine: 2, lastLine: 3_000, count: 2_997, component: 'usual' },
    ]);
  });

  it('limits messages to the size limit', async () => {
    const long = 'x'.repeat(1_000_000);
    const lines = Array.from(
      { length: 10 },
      (_, index) => `{"time": ${1_767_312_000 + index}, "text": "${long}"}`,
    );
    const sizes: number[] = [];
    const counting: Pick<UploadStore, 'readings'> = {
      readings: (_, __, batch) => Promise.resolve(void sizes.push(batch.length)),
    };
    await uploadReadings(counting, await plan(file('a.ndjson', lines.join('\n'))), { signal });
    assert.deepEqual(sizes, [4, 4, 2]);
  });

  for (const format of ['csv', 'ndjson'] satisfies RecordFormat[]) {
    it(`stores what was exported as ${format} unchanged`, async () => {
      const { uploads } = fleet.stores;
      const text = { formula: '=1+1', minus: '-5', number: '12', yes: 'true' };
      // In a table, this text looks like an escaped formula.
      const guarded = format === 'csv' ? {} : { guarded: "'=1+1" };
      await uploads.readings(
        origin,
        ['dry', 'a,b'],
        [
          {
            at: START + 1,
            data: { readings: { celsius: -3.5, ok: true, none: null, ...text, ...guarded } },
          },
          { at: START + 2, data: { readings: { 'a.b': { c: [1, 'x', { y: null }] }, '': 'e' } } },
          { at: START + 3, data: { readings: { note: 'line\r\nend "quoted"', blank: '' } } },
        ],
      );
      const arm = { ...origin, componentName: '@arm', method: 'EndPosition' };
      await uploads.readings(arm, [], [{ at: START + 4, data: { pose: { x: 1, theta: 1e-9 } } }]);
      const before = await stored();

      const target = new MemoryExportFile();
      await exportReadings(fleet.stores.readings, {
        format,
        file: target,
        filter: everyCapture,
        order: 'oldestFirst',
        signal,
        sleep: () => Promise.resolve(),
        onProgress: () => undefined,
        workbook: englishWorkbook,
      });
      const copy = await inMemory();
      try {
        const whole = await plan(file(`a.${format}`, target.text));
        const toCopy = { ...whole, tags: [], origin: { ...origin, partId: copy.part } };
        const outcome = await uploadReadings(copy.stores.uploads, toCopy, { signal });
        assert.deepEqual([outcome.stored, outcome.failed], [4, []]);
        const request = { filter: everyCapture, order: 'oldestFirst', limit: 100 } as const;
        const after = (await copy.stores.readings.page(request)).readings;
        const known = ({ at, data, tags, source }: Reading): unknown => [
          ...[at, data, tags, source.componentName, source.componentType, source.method],
        ];
        assert.deepEqual(after.map(known), before.map(known));
      } finally {
        await copy.close();
      }
    });
  }
});

function file(path: string, content: string): FileSource {
  return {
    path,
    size: content.length,
    async *read() {
      yield await Promise.resolve(Buffer.from(content));
    },
  };
}
