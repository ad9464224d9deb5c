import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readDemoDataOptions, UsageError } from '../../../scripts/support/demoDataOptions';

const NOW = new Date('2026-03-01T12:00:00Z');

function read(...args: string[]) {
  return readDemoDataOptions(args, NOW, '/somewhere');
}

describe('readDemoDataOptions', () => {
  it('covers the last thirty days by default', () => {
    assert.deepEqual(read(), {
      counts: { readings: 100_000, images: 50, pointClouds: 6 },
      machines: 8,
      span: { start: new Date('2026-01-30T12:00:00Z'), end: NOW },
      seed: '1',
      fleet: { credentialsFile: undefined, url: undefined, organization: undefined },
    });
  });

  it('accepts counts, times, and the fleet', () => {
    assert.deepEqual(
      read(
        '--readings',
        '1000000',
        '--images',
        '500',
        '--pointclouds',
        '20',
        '--days',
        '2',
        '--until',
        '2026-02-01T00:00:00Z',
        '--machines',
        '3',
        '--seed',
        'x',
        '--credentials',
        'keys.json',
        '--url',
        'http://127.0.0.1:4000/',
        '--organization',
        'A',
      ),
      {
        counts: { readings: 1_000_000, images: 500, pointClouds: 20 },
        machines: 3,
        span: { start: new Date('2026-01-30T00:00:00Z'), end: new Date('2026-02-01T00:00:00Z') },
        seed: 'x',
        fleet: {
          credentialsFile: resolve('/somewhere', 'keys.json'),
          url: 'http://127.0.0.1:4000',
          organization: 'A',
        },
      },
    );
  });

  it('returns only help on request', () => {
    assert.equal(read('--help'), undefined);
  });

  for (const [args, problem] of [
    [['--reading', '5'], /--reading/],
    [['--readings', '-5'], /--readings/],
    [['--readings', '1e6'], /--readings takes a whole number from 0, not "1e6"/],
    [['--images', 'many'], /--images/],
    [['--days', '0'], /--days takes a whole number from 1/],
    [['--machines', '0'], /--machines/],
    [['--until', 'yesterday'], /--until takes a time such as 2026-03-01T12:00:00.000Z/],
    [['--url', 'localhost'], /--url takes an address/],
    [['--credentials', ''], /--credentials must not be empty/],
    [['more'], /more/],
  ] as const) {
    it(`rejects ${args.join(' ')}`, () => {
      assert.throws(
        () => read(...args),
        (error: unknown) => error instanceof UsageError && problem.test(error.message),
      );
    });
  }
});
