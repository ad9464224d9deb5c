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

  it('are moved by calendar units, to the last day of a shorter month', async () => {
    const moved = async (operator: string, start: string, unit: string, amount: number) => {
      const options = { startDate: new Date(start), unit, amount };
      return ((await computed({ [operator]: options })) as Date).toISOString().slice(0, 10);
    };
    assert.equal(await moved('$dateSubtract', '2026-01-15', 'month', 12), '2025-01-15');
    assert.equal(await moved('$dateSubtract', '2026-03-31', 'month', 1), '2026-02-28');
    assert.equal(await moved('$dateSubtract', '2024-02-29', 'year', 1), '2023-02-28');
    assert.equal(await moved('$dateSubtract', '2026-01-15', 'quarter', 4), '2025-01-15');
    assert.equal(await moved('$dateAdd', '2026-10-31', 'month', 1), '2026-11-30');
    assert.equal(await moved('$dateAdd', '2024-02-29', 'year', 4), '2028-02-29');
    assert.equal(await moved('$dateAdd', '2026-12-31', 'week', 1), '2027-01-07');
  });

  it('are moved by days of local time, but by hours of absolute time', async () => {
    const startDate = new Date('2026-03-28T12:00:00Z');
    const timezone = 'Europe/Berlin';
    const moved = (unit: string, amount: number) =>
      computed({ $dateAdd: { startDate, unit, amount, timezone } });
    // Daylight saving time started on March 29 and ended on October 25.
    assert.deepEqual(await moved('day', 1), new Date('2026-03-29T11:00:00Z'));
    assert.deepEqual(await moved('hour', 24), new Date('2026-03-29T12:00:00Z'));
    assert.deepEqual(await moved('month', 8), new Date('2026-11-28T12:00:00Z'));
    const before = { startDate: new Date('2026-03-29T11:00:00Z'), unit: 'day', amount: 1 };
    assert.deepEqual(await computed({ $dateSubtract: { ...before, timezone } }), startDate);
  });

  it('result in null if they are null or missing', async () => {
    const shift = { startDate: '$at', unit: 'day', amount: 1 };
    assert.equal(await computed({ $dateAdd: shift }, null), null);
    assert.equal(await computed({ $dateSubtract: shift }, null), null);
    assert.equal(await computed({ $dateAdd: { ...shift, startDate: '$none' } }), null);
    assert.equal(await computed({ $dateAdd: { ...shift, amount: null } }), null);
    assert.equal(await computed({ $dateAdd: { ...shift, timezone: '$none' } }), null);
    const difference = { startDate: '$at', endDate: AT, unit: 'day' };
    assert.equal(await computed({ $dateDiff: difference }, null), null);
    assert.equal(await computed({ $dateDiff: { ...difference, endDate: '$none' } }), null);
    assert.equal(await computed({ $dateFromParts: { year: 2026, month: '$none' } }), null);
    assert.equal(await computed({ $dateToParts: { date: '$none' } }), null);
    assert.equal(await computed({ $dateFromString: { dateString: '$none' } }), null);
    assert.equal(await computed({ $dateFromString: { dateString: null, onNull: 0 } }), 0);
  });

  it('are subtracted by counting unit boundaries', async () => {
    const count = (start: string, end: string, unit: string, options = {}) => {
      const [startDate, endDate] = [new Date(start), new Date(end)];
      return computed({ $dateDiff: { startDate, endDate, unit, ...options } });
    };
    const second = '2026-01-15T10:00:00';
    assert.equal(await count(`${second}.000Z`, `${second}.600Z`, 'second'), 0);
    assert.equal(await count(`${second}.900Z`, '2026-01-15T10:00:01.100Z', 'second'), 1);
    assert.equal(await count('2026-01-15T10:00:01.100Z', `${second}.900Z`, 'second'), -1);
    assert.equal(await count(`${second}.000Z`, `${second}.600Z`, 'millisecond'), 600);
    assert.equal(await count('2026-01-15T10:59:59Z', '2026-01-15T11:00:00Z', 'hour'), 1);
    assert.equal(await count('2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', 'year'), 1);
    assert.equal(await count('2026-01-31T00:00:00Z', '2026-04-01T00:00:00Z', 'quarter'), 1);
    // January 4 was a Sunday.
    assert.equal(await count('2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z', 'week'), 1);
    const monday = { startOfWeek: 'monday' };
    assert.equal(await count('2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z', 'week', monday), 0);
    const berlin = { timezone: 'Europe/Berlin' };
    assert.equal(await count('2026-03-28T22:30:00Z', '2026-03-28T23:30:00Z', 'day', berlin), 1);
    // Clocks skip an hour on March 29.
    assert.equal(await count('2026-03-29T00:00:00Z', '2026-03-29T02:00:00Z', 'hour', berlin), 2);
  });

  it('have weeks from Sunday, and weeks and years by ISO 8601', async () => {
    const part = (operator: string, date: string) => computed({ [operator]: new Date(date) });
    const format = (date: string, format: string) =>
      computed({ $dateToString: { date: new Date(date), format } });
    const weeks = [
      ['2026-01-02', 0],
      ['2026-01-04', 1],
      ['2026-01-05', 1],
      ['2026-12-31', 52],
      // This year began on a Sunday.
      ['2023-01-01', 1],
    ] as const;
    for (const [date, week] of weeks) {
      assert.equal(await part('$week', date), week, date);
      assert.equal(await format(date, '%U'), String(week).padStart(2, '0'), date);
    }
    const isoWeeks = [
      ['2027-01-01', 2026, 53],
      ['2024-12-30', 2025, 1],
      ['2026-01-01', 2026, 1],
      ['2023-01-01', 2022, 52],
    ] as const;
    for (const [date, year, week] of isoWeeks) {
      assert.equal(await part('$isoWeekYear', date), year, date);
      assert.equal(await part('$isoWeek', date), week, date);
      const text = `${String(year)}-W${String(week).padStart(2, '0')}`;
      assert.equal(await format(date, '%G-W%V'), text);
    }
    const iso = { $dateToParts: { date: new Date('2024-12-30T01:02:03.004Z'), iso8601: true } };
    assert.deepEqual(await computed(iso), {
      ...{ isoWeekYear: 2025, isoWeek: 1, isoDayOfWeek: 1 },
      ...{ hour: 1, minute: 2, second: 3, millisecond: 4 },
    });
  });

  it('are formatted in the same way in every time zone of the process', async () => {
    const format = (options: object) => computed({ $dateToString: { date: '$at', ...options } });
    assert.equal(await format({ format: '%z %Z', timezone: '-03:30' }), '-0330 -210');
    assert.equal(await format({ format: '%z %Z', timezone: 'Australia/Darwin' }), '+0930 570');
    assert.equal(await format({ format: '%j %u %w %%' }), '088 7 1 %');
    assert.equal(await format({ timezone: 'Europe/Berlin' }), '2026-03-30T01:30:15.250');
    await assert.rejects(format({ format: '%q' }), /"%q" is not a valid part/);
    const { TZ } = process.env;
    process.env.TZ = 'America/New_York';
    try {
      const at = new Date('2026-03-01T00:30:00Z');
      const months = { date: at, format: '%b %B' };
      assert.equal(await computed({ $dateToString: months }), 'Mar March');
    } finally {
      if (TZ === undefined) {
        delete process.env.TZ;
      } else {
        process.env.TZ = TZ;
      }
    }
  });

  it('are parsed with the UTC offset at that time', async () => {
    const parse = async (dateString: string, options = {}) =>
      ((await computed({ $dateFromString: { dateString, ...options } })) as Date).toISOString();
    const timezone = 'America/New_York';
    assert.equal(await parse('2026-07-15T12:00:00.000', { timezone }), '2026-07-15T16:00:00.000Z');
    assert.equal(await parse('2026-01-15T12:00:00.000', { timezone }), '2026-01-15T17:00:00.000Z');
    // Clocks skip 02:30 on March 8 and repeat 01:30 on November 1.
    assert.equal(await parse('2026-03-08T02:30:00', { timezone }), '2026-03-08T07:30:00.000Z');
    assert.equal(await parse('2026-11-01T01:30:00', { timezone }), '2026-11-01T05:30:00.000Z');
    assert.equal(await parse('2026-07-15T12:00:00.250+02:00'), '2026-07-15T10:00:00.250Z');
    assert.equal(await parse('2026-07-15T12:00:00Z'), '2026-07-15T12:00:00.000Z');
    assert.equal(await parse('2026-07-15T12:00:00K'), '2026-07-15T02:00:00.000Z');
    assert.equal(await parse('2026-07-15T12:00:00N'), '2026-07-15T13:00:00.000Z');
    assert.equal(await parse('2026-07-15'), '2026-07-15T00:00:00.000Z');
    const parts = { $dateFromParts: { year: 2026, month: 7, day: 15, hour: 12, timezone } };
    assert.deepEqual(await computed(parts), new Date('2026-07-15T16:00:00Z'));
    const overflow = { $dateFromParts: { year: 2026, month: 14, day: 31, minute: -1 } };
    assert.deepEqual(await computed(overflow), new Date('2027-03-02T23:59:00Z'));
    const week = { $dateFromParts: { isoWeekYear: 2025, isoWeek: 1, isoDayOfWeek: 1 } };
    assert.deepEqual(await computed(week), new Date('2024-12-30T00:00:00Z'));
  });

  it('are parsed by a format, or replaced if they are invalid', async () => {
    const parse = (dateString: unknown, options = {}) =>
      computed({ $dateFromString: { dateString, ...options } });
    const cases = [
      ['15.07.2026 08:30', '%d.%m.%Y %H:%M', '2026-07-15T08:30:00Z'],
      ['Jul 15, 2026', '%b %d, %Y', '2026-07-15T00:00:00Z'],
      ['100% 2026-196', '100%% %Y-%j', '2026-07-15T00:00:00Z'],
      ['2025 W01 1', '%G W%V %u', '2024-12-30T00:00:00Z'],
      ['2026-07-15 12 -0330', '%Y-%m-%d %H %z', '2026-07-15T15:30:00Z'],
      ['2026-07-15 12 -210', '%Y-%m-%d %H %Z', '2026-07-15T15:30:00Z'],
    ] as const;
    for (const [text, format, expected] of cases) {
      assert.deepEqual(await parse(text, { format }), new Date(expected), text);
    }
    for (const invalid of ['2026-02-30', '2026', 'yesterday', '2026-01-15T25:00:00', 5]) {
      assert.equal(await parse(invalid, { onError: 'invalid' }), 'invalid', String(invalid));
    }
    const zoned = { timezone: 'Europe/Berlin', onError: 'invalid' };
    assert.equal(await parse('2026-07-15T12:00:00Z', zoned), 'invalid');
    await assert.rejects(parse('yesterday'), /"yesterday" is not a valid date/);
    const repeated = { format: '%d'.repeat(40), onError: null };
    await assert.rejects(parse('1'.repeat(60), repeated), /can't contain %d twice/);
  });
});
