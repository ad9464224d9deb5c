import assert from 'node:assert/strict';
import type { FileSource } from '../../../../src/core/data/uploads/fileSource';
import {
  type Inspection,
  inspectReadings,
} from '../../../../src/core/data/uploads/readings/inspectReadings';
import { openReadings } from '../../../../src/core/data/uploads/readings/openReadings';
import type {
  ReadingsLayout,
  TimeChoice,
} from '../../../../src/core/data/uploads/readings/readingRow';
import {
  ReadingsError,
  type ReadingsErrorReason,
} from '../../../../src/core/data/uploads/readings/textFormat';

const signal = new AbortController().signal;
const DAY = Date.UTC(2026, 0, 2) * 1_000;
const MEBIBYTE = 1024 * 1024;

function file(path: string, content: string | Uint8Array | Iterable<Uint8Array>): FileSource {
  const whole = typeof content === 'string' ? Buffer.from(content) : content;
  const chunks = whole instanceof Uint8Array ? [whole] : whole;
  return {
    path,
    size: 0,
    async *read() {
      for (const chunk of chunks) yield await Promise.resolve(chunk);
    },
  };
}

function likeliestTime({ times }: ReadingsLayout): TimeChoice {
  const [first] = times;
  assert.ok(first, 'no column is a time');
  return { column: first[0], form: first[1], zone: 'utc' };
}

async function inspect(source: FileSource): Promise<Inspection> {
  const layout = await openReadings(source, signal);
  return inspectReadings(layout, likeliestTime(layout), signal);
}

const csv = (...lines: readonly string[]): FileSource => file('a.csv', `${lines.join('\n')}\n`);
const ndjson = (...lines: readonly string[]): FileSource => file('a.ndjson', lines.join('\n'));

async function getRejectionReason(source: FileSource): Promise<ReadingsErrorReason> {
  try {
    await inspect(source);
  } catch (error) {
    if (error instanceof ReadingsError) return error.reason;
    throw error;
  }
  assert.fail('the file was taken');
}

describe('readings of a table', () => {
  it('become numbers, booleans, lists, and texts depending on the whole column', async () => {
    const found = await inspect(
      csv(
        'time,celsius,ok,code,list,note',
        '2026-01-02T00:00:00Z,21.5,true,007,"[1,2]",5',
        '2026-01-02T00:00:01Z,-3,FALSE,12,,n/a',
        '2026-01-02T00:00:02Z,,,,,',
      ),
    );
    assert.deepEqual(found.columns.map(({ name, type }) => [name, type]).slice(1), [
      ...[
        ['celsius', 'number'],
        ['ok', 'boolean'],
        ['code', 'text'],
        ['list', 'json'],
      ],
      ['note', 'text'],
    ]);
    assert.deepEqual(found.columns.at(-1)?.conflict, { line: 3, text: 'n/a' });
    assert.deepEqual(
      found.sample.map(({ line, at, data }) => ({ line, at, data })),
      [
        {
          line: 2,
          at: DAY,
          data: { celsius: 21.5, ok: true, code: '007', list: [1, 2], note: '5' },
        },
        { line: 3, at: DAY + 1_000_000, data: { celsius: -3, ok: false, code: '12', note: 'n/a' } },
        { line: 4, at: DAY + 2_000_000, data: {} },
      ],
    );
    assert.equal(found.readings, 3);
    assert.deepEqual(found.span, { first: DAY, last: DAY + 2_000_000 });
  });

  it('can have decimal commas, depending on the whole table', async () => {
    const table = (...lines: readonly string[]): FileSource =>
      csv('time;celsius;bar;count;id', ...lines);
    const found = await inspect(
      table('2026-01-02;21,5;1.013,25;1.000;7', '2026-01-02;-0,25;12;2;8', '2026-01-02;;;;'),
    );
    assert.deepEqual(
      found.columns.map(({ type }) => type),
      ['text', 'commaNumber', 'commaNumber', 'commaNumber', 'number'],
    );
    assert.deepEqual(
      found.sample.map(({ data }) => data),
      [
        { celsius: 21.5, bar: 1013.25, count: 1000, id: 7 },
        { celsius: -0.25, bar: 12, count: 2, id: 8 },
        {},
      ],
    );
    const mixed = await inspect(table('2026-01-02;21,5;0.5;1.000;x', '2026-01-02;2,5;1.5;2.000;y'));
    assert.deepEqual(mixed.sample[0]?.data, { celsius: 21.5, bar: 0.5, count: 1, id: 'x' });
    const thousandths = await inspect(table('2026-01-02;21,5;3,301;12,500;x'));
    assert.deepEqual(
      thousandths.sample.map(({ data }) => data),
      [{ celsius: 21.5, bar: 3.301, count: 12.5, id: 'x' }],
    );
    const exponents = await inspect(table('2026-01-02;21,5;1e-5;1.000;x'));
    assert.deepEqual(exponents.sample[0]?.data, { celsius: 21.5, bar: 1e-5, count: 1000, id: 'x' });
    const thousands = await inspect(table('2026-01-02;1,000;0.5;1;x'));
    assert.deepEqual(thousands.sample[0]?.data, { celsius: '1,000', bar: 0.5, count: 1, id: 'x' });
    const commas = await inspect(csv('time,celsius', '2026-01-02,"21,5"'));
    assert.deepEqual(commas.sample[0]?.data, { celsius: '21,5' });
  });

  it('preserve all digits of whole numbers beyond a double', async () => {
    const large = '9007199254740993';
    const plain = await inspect(csv('time,n,list', `2026-01-02,${large},"[${large},-0]"`));
    assert.deepEqual(plain.sample[0]?.data, { n: large, list: [large, -0] });
    const exported = await inspect(
      csv(
        'time,machine,part,component,method,tags,data.n,data.list,data.f',
        `2026-01-02T00:00:00Z,,,arm,Readings,,${large},"[${large}]",0.5`,
      ),
    );
    assert.deepEqual(exported.sample[0]?.data, { n: large, list: [large], f: 0.5 });
  });

  it('are nested by dots', async () => {
    const { sample } = await inspect(
      csv('time,arm.joint.angle,arm.joint.ok,arm..x', '2026-01-02,1,true,2'),
    );
    assert.deepEqual(sample[0]?.data, { arm: { joint: { angle: 1, ok: true } }, 'arm..x': 2 });
  });

  it('have no inherited members', async () => {
    const { sample } = await inspect(
      csv('time,__proto__.polluted,constructor', '2026-01-02,true,1'),
    );
    assert.equal(
      JSON.stringify(sample[0]?.data),
      '{"__proto__":{"polluted":true},"constructor":1}',
    );
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  it('exclude invalid rows, and report why by line', async () => {
    const found = await inspect(
      csv(
        'time,a,a.b',
        '2026-01-02T00:00:00Z,1,',
        'yesterday,1,',
        '2026-01-02T00:00:01Z,1',
        '2026-01-02T00:00:02Z,"x',
        'y",',
        '2026-01-02T00:00:03Z,1,2',
        '2026-01-02T00:00:04Z,1,,surplus',
        '2026-01-02T00:00:05Z,1,,',
        '2026-02-30T00:00:00Z,1,',
      ),
    );
    assert.equal(found.readings, 3);
    assert.deepEqual(found.problems, {
      count: 5,
      first: [
        { line: 3, kind: 'time', text: 'yesterday' },
        { line: 4, kind: 'cells', found: 2, expected: 3 },
        { line: 7, kind: 'overlap', column: 'a.b' },
        { line: 8, kind: 'cells', found: 4, expected: 3 },
        { line: 10, kind: 'time', text: '2026-02-30T00:00:00Z' },
      ],
    });
  });

  for (const [name, bytes] of [
    ['a byte order mark', Buffer.from('\ufefftime,a\r\n2026-01-02,ü\r\n')],
    ['UTF-16 with a mark', Buffer.from('\ufefftime,a\r\n2026-01-02,ü\r\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('time,a\r\n2026-01-02,ü\r\n', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\ufefftime,a\r\n2026-01-02,ü\r\n', 'utf16le').swap16()],
    ['semicolons', Buffer.from('time;a\n2026-01-02;ü\n')],
    ['tabs', Buffer.from('time\ta\n2026-01-02\tü\n')],
    ['quotes', Buffer.from('"time","a"\n"2026-01-02","ü"\n')],
    ['carriage returns as line breaks', Buffer.from('time,a\r2026-01-02,ü\r')],
    ['no line break at the end', Buffer.from('time,a\n\n2026-01-02,ü')],
  ] as const) {
    it(`can have ${name}, in chunks of any size`, async () => {
      const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
      for (const source of [file('a.csv', bytes), file('a.csv', chunks)]) {
        const found = await inspect(source);
        assert.deepEqual(
          found.sample.map(({ data }) => data),
          [{ a: 'ü' }],
        );
        assert.equal(found.problems.count, 0);
      }
    });
  }

  it('preserve separators and line breaks within quotes', async () => {
    const { sample } = await inspect(csv('time,a', '2026-01-02,"1, ""2""', '3"'));
    assert.deepEqual(sample[0]?.data, { a: '1, "2"\n3' });
  });

  for (const [text, micros] of [
    ['1767312000', DAY],
    ['1767312000.25', DAY + 250_000],
    ['1767312000123', DAY + 123_000],
    ['1767312000123456', DAY + 123_456],
    ['1767312000123456789', DAY + 123_456],
    ['1.767312000e9', DAY],
    ['2026-01-02 01:00:00.5+01:00', DAY + 500_000],
    ['2026-01-01T19:00-05', DAY],
  ] as const) {
    it(`accept ${text} as a time`, async () => {
      const found = await inspect(csv('when,a', `${text},1`));
      assert.equal(found.sample[0]?.at, micros);
      assert.equal(found.assumesZone, false);
    });
  }

  it('report an assumed time zone', async () => {
    const found = await inspect(csv('time,a', '2026-01-02T00:00:00,1'));
    assert.equal(found.assumesZone, true);
    assert.equal(found.sample[0]?.at, DAY);
  });

  it('do not mistake the time since the start of a machine for a time', async () => {
    const layout = await openReadings(csv('time,a', '0.25,1', '12345,2'), signal);
    assert.equal(layout.times.size, 0);
  });

  it('do not mistake an infinite number for a time', async () => {
    const { readings, columns } = await inspect(csv('time,e', '2026-01-02,1e400'));
    assert.deepEqual([readings, columns[1]?.type], [1, 'text']);
  });

  it('find the column of times by its name first', async () => {
    const layout = await openReadings(
      csv('received,updated_time,timestamp,a', '2026-01-02,2026-01-02,1767312000,1'),
      signal,
    );
    assert.deepEqual([...layout.times.keys()], ['timestamp', 'updated_time', 'received']);
  });

  it('can have ten thousand columns, and not more', async () => {
    const row = (cell: (index: number) => string, count: number): string =>
      Array.from({ length: count }, (_, index) => cell(index)).join(',');
    const wide = (count: number): FileSource =>
      csv(`time,${row((index) => `c${index}`, count)}`, `2026-01-02,${row(String, count)}`);
    const { sample } = await inspect(wide(9_999));
    assert.equal(Object.keys(sample[0]?.data ?? {}).length, 9_999);
    assert.deepEqual(await getRejectionReason(wide(10_000)), {
      kind: 'manyColumns',
      columns: 10_001,
      max: 10_000,
    });
  });

  it('are rejected with the reason', async () => {
    assert.deepEqual(await getRejectionReason(file('a.csv', '')), { kind: 'empty' });
    assert.deepEqual(await getRejectionReason(file('a.csv', '\n \n')), { kind: 'empty' });
    assert.deepEqual(await getRejectionReason(csv('1,2', '3,4')), { kind: 'noHeader' });
    assert.deepEqual(await getRejectionReason(csv('time,a')), { kind: 'noRows' });
    assert.deepEqual(await getRejectionReason(csv('time,a,a', '2026-01-02,1,2')), {
      kind: 'sameColumn',
      column: 'a',
    });
    assert.deepEqual(
      await getRejectionReason(file('a.csv', Buffer.from('time,a\n2026-01-02,\xfc\n', 'latin1'))),
      {
        kind: 'encoding',
      },
    );
    const open = ['time,a', '2026-01-02,1', '2026-01-02,"open'];
    assert.deepEqual(await getRejectionReason(csv(...open, '2026-01-02,2', '2026-01-02,3')), {
      kind: 'openQuote',
      line: 3,
    });
    assert.deepEqual(await getRejectionReason(csv(...open)), {
      kind: 'openQuote',
      line: 3,
    });
  });

  it('are rejected at a line of 100 MB, without buffering it', async () => {
    let read = 0;
    const long = {
      *[Symbol.iterator]() {
        yield Buffer.from('time,a\n2026-01-02,1\n2026-01-02,"');
        for (let count = 0; count < 100; count += 1) {
          read += 1;
          yield Buffer.alloc(MEBIBYTE, 'x');
        }
      },
    };
    assert.deepEqual(await getRejectionReason(file('a.csv', long)), { kind: 'longRow', line: 3 });
    assert.ok(read < 20, `${read} MiB were read`);
  });
});

describe('readings from JSON lines', () => {
  it('contain the objects without their time', async () => {
    const found = await inspect(
      ndjson(
        '{"ts": 1767312000.5, "a": {"b": [1, null]}, "note": "5"}',
        '',
        '{"ts": 1767312001, "meta": {"x": true}}',
      ),
    );
    assert.deepEqual(
      found.sample.map(({ line, at, data }) => ({ line, at, data })),
      [
        { line: 1, at: DAY + 500_000, data: { a: { b: [1, null] }, note: '5' } },
        { line: 3, at: DAY + 1_000_000, data: { meta: { x: true } } },
      ],
    );
  });

  it('preserve the types of their values, and report the first value of another type', async () => {
    const found = await inspect(
      ndjson(
        '{"time":"2026-01-02","mixed":21.5,"text":"5","list":[1],"ok":true}',
        '{"time":"2026-01-02","mixed":"n/a","text":"6","list":{},"ok":null}',
        '{"time":"2026-01-02","mixed":true,"text":"7","list":[],"ok":false}',
      ),
    );
    assert.deepEqual(
      found.columns.slice(1).map(({ name, type }) => [name, type]),
      [
        ['mixed', 'mixed'],
        ['text', 'text'],
        ['list', 'json'],
        ['ok', 'boolean'],
      ],
    );
    assert.deepEqual(found.columns[1]?.conflict, { line: 2, text: '"n/a"' });
    assert.deepEqual(
      found.sample.map(({ data }) => data.mixed),
      [21.5, 'n/a', true],
    );
  });

  it('preserve all digits of whole numbers beyond a double', async () => {
    const { sample } = await inspect(
      ndjson(
        '{"time":"2026-01-02","n":[9007199254740993,-18446744073709551615],"u":9007199254740992}',
        '{"time":"2026-01-02","n":1e400,"u":12345678901234567,"f":0.1234567890123456,"z":-0}',
      ),
    );
    assert.deepEqual(
      sample.map(({ data }) => data),
      [
        { n: ['9007199254740993', '-18446744073709551615'], u: 9_007_199_254_740_992 },
        { n: '1e400', u: '12345678901234567', f: 0.1234567890123456, z: -0 },
      ],
    );
  });

  it('can have nested times', async () => {
    const { sample } = await inspect(ndjson('{"meta": {"time": "2026-01-02"}, "a": 1}'));
    assert.deepEqual(sample[0]?.data, { a: 1 });
  });

  it('exclude lines that are not objects', async () => {
    const found = await inspect(ndjson('{"time": "2026-01-02"}', '[1]', '{"time":', '{"a": 1}'));
    assert.equal(found.readings, 1);
    assert.deepEqual(
      found.problems.first.map(({ line, kind }) => [line, kind]),
      [
        [2, 'notObject'],
        [3, 'json'],
        [4, 'time'],
      ],
    );
  });

  it('are rejected at a line of 100 MB', async () => {
    const chunks = Array.from({ length: 100 }, () => Buffer.alloc(MEBIBYTE, 'x'));
    assert.deepEqual(await getRejectionReason(file('a.jsonl', chunks)), {
      kind: 'longRow',
      line: 1,
    });
  });
});
