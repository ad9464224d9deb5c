import assert from 'node:assert/strict';
import { runOn } from './runOn';

const AT = new Date('2026-03-29T23:30:15.250Z');

async function computed(expression: unknown, at: Date | null = AT): Promise<unknown> {
  const [document] = await runOn([{ at }], { $project: { value: expression } });
  return document?.value;
}

describe('dates in pipelines', () => {
  it('are truncated in a time zone', async () => {
    const cut = async (unit: string, timezone?: string, more = {}): Promise<string> => {
      const options = {
        date: '$at',
        unit,
        ...(timezone === undefined ? {} : { timezone }),
        ...more,
      };
      return ((await computed({ $dateTrunc: options })) as Date).toISOString();
    };
    assert.equal(await cut('day'), '2026-03-29T00:00:00.000Z');
    assert.equal(await cut('day', 'UTC'), '2026-03-29T00:00:00.000Z');
    // Daylight saving time started that night in Berlin.
    assert.equal(await cut('day', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(await cut('month', 'Europe/Berlin'), '2026-02-28T23:00:00.000Z');
    assert.equal(await cut('day', '+05:30'), '2026-03-29T18:30:00.000Z');
    assert.equal(await cut('hour', '+05:30'), '2026-03-29T23:30:00.000Z');
    assert.equal(await cut('week'), '2026-03-29T00:00:00.000Z');
    assert.equal(await cut('week', 'UTC', { startOfWeek: 'monday' }), '2026-03-23T00:00:00.000Z');
    assert.equal(await cut('minute', 'UTC', { binSize: 15 }), '2026-03-29T23:30:00.000Z');
    assert.equal(await cut('quarter'), '2026-01-01T00:00:00.000Z');
    assert.equal(await cut('year', 'UTC', { binSize: 5 }), '2025-01-01T00:00:00.000Z');
    assert.equal(await computed({ $dateTrunc: { date: '$at', unit: 'day' } }, null), null);
  });

  it('are parsed and formatted in a time zone', async () => {
    const berlin = { date: '$at', timezone: 'Europe/Berlin' };
    assert.equal(await computed({ $hour: '$at' }), 23);
    assert.equal(await computed({ $hour: berlin }), 1);
    assert.equal(await computed({ $dayOfMonth: berlin }), 30);
    assert.equal(await computed({ $dayOfWeek: { date: '$at', timezone: 'GMT' } }), 1);
    assert.equal(await computed({ $year: '$at' }, null), null);
    const format = '%Y-%m-%d %H:%M:%S.%L';
    assert.equal(
      await computed({ $dateToString: { ...berlin, format } }),
      '2026-03-30 01:30:15.250',
    );
    assert.equal(await computed({ $dateToString: { date: '$at' } }), '2026-03-29T23:30:15.250Z');
    assert.equal(await computed({ $dateToString: { date: '$none', onNull: 'none' } }), 'none');
    const endDate = new Date('2026-03-31T00:00:00Z');
    const difference = { startDate: '$at', endDate, unit: 'hour', timezone: 'UTC' };
    assert.equal(await computed({ $dateDiff: difference }), 25);
    const later = { startDate: '$at', unit: 'day', amount: 2, timezone: 'UTC' };
    assert.deepEqual(await computed({ $dateAdd: later }), new Date('2026-03-31T23:30:15.250Z'));
  });
});
