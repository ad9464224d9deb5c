import assert from 'node:assert/strict';
import {
  type BenchRun,
  mergeResults,
  renderPerformancePage,
} from '../../../scripts/support/performancePage';

const listing = { name: 'listing', ratio: 1.4, against: 'the bare call', aim: '<= 1.3' };
const archive = { name: 'archive', ratio: 0.9, against: 'tar | gzip', aim: '>= 0.85' };
const point = { scale: 10, size: 410, milliseconds: 61.3, mebibytes: 110 };
const curve = {
  name: 'listing',
  unit: 'machines',
  points: [point, { scale: 1000, size: 41_000, milliseconds: 5.25, mebibytes: 137.5 }],
};
const run: BenchRun = {
  date: '2026-11-29',
  nodeVersion: '24.1.0',
  platform: 'Linux x64',
  cores: 2,
  memoryGiB: 8,
  isQuick: false,
  full: [],
  repeat: 1,
  benchmarks: { run: 3, all: 3 },
  failed: [],
};

describe('mergeResults', () => {
  it('merges the runs of a benchmark into their median and range', () => {
    const runs = [1.2, 1.5, 1.4].map((ratio) => ({ ...listing, ratio }));
    assert.deepEqual(mergeResults([...runs, archive]), [
      { ...listing, ratio: 1.4, lowest: 1.2, highest: 1.5 },
      { ...archive, lowest: 0.9, highest: 0.9 },
    ]);
  });

  it('merges the points of curves into their medians', () => {
    const runs = [5, 9, 7].map((milliseconds) => ({
      ...listing,
      curve: { ...curve, points: [{ ...point, milliseconds }] },
    }));
    const [merged] = mergeResults(runs);
    assert.deepEqual(merged?.curve?.points, [{ ...point, milliseconds: 7 }]);
  });
});

describe('renderPerformancePage', () => {
  it('lists all results in a table and marks those that miss their target', () => {
    const page = renderPerformancePage(mergeResults([listing, archive]), run);
    assert.ok(
      page.endsWith(`
- Date: 2026-11-29
- Computer: 2 processor cores, 8 GiB of memory, Linux x64
- Node.js: 24.1.0
- Run: 3 of 3 benchmarks, full amounts of data

## Results

1 of 2 results meet their aim. Ratios in bold miss it.

| Benchmark | Ratio    | Aim    | Baseline      |
| --------- | -------- | ------ | ------------- |
| listing   | **1.40** | ≤ 1.3  | the bare call |
| archive   | 0.90     | ≥ 0.85 | tar \\| gzip   |
`),
      page,
    );
  });

  it('gives the reasons of results that miss their target', () => {
    const [missed, met] = [listing, archive].map((one) => ({ ...one, reason: `${one.name}.` }));
    assert.ok(missed && met);
    const page = renderPerformancePage(mergeResults([missed, met]), run);
    assert.ok(page.endsWith('\n\nReasons for missed aims:\n\n- listing: listing.\n'), page);
  });

  it('contains the maintained section on limits', () => {
    const limits = '## Limits\n\nHashing takes 43 %.\n';
    const page = renderPerformancePage(mergeResults([archive]), { ...run, limits });
    assert.ok(page.endsWith(`\n\n${limits}`), page);
  });

  it('shows the spread of repeated runs, and failed benchmarks', () => {
    const runs = [1.2, 1.26].map((ratio) => ({ ...listing, ratio }));
    const repeated = { ...run, isQuick: true, full: ['queries'], repeat: 2, failed: ['queries'] };
    const page = renderPerformancePage(mergeResults(runs), repeated);
    assert.ok(
      page.endsWith(`
- Run: 3 of 3 benchmarks, smaller amounts of data (\`--quick\`) except in queries, each benchmark 2 times
- Failed: queries

## Results

1 of 1 results meet their aim. Ratios in bold miss it. The spread is the range of the ratios of all runs.

| Benchmark | Ratio | Spread       | Aim   | Baseline      |
| --------- | ----- | ------------ | ----- | ------------- |
| listing   | 1.23  | 1.20 to 1.26 | ≤ 1.3 | the bare call |
`),
      page,
    );
  });

  it('shows curves as images and as a table', () => {
    const page = renderPerformancePage(mergeResults([{ ...listing, curve }]), run);
    assert.match(page, /\n!\[Time [^\]]+\]\(images\/scale-time\.svg\)\n/);
    assert.match(page, /\n!\[Memory [^\]]+\]\(images\/scale-memory\.svg\)\n/);
    assert.ok(
      page.endsWith(`
| Operation | Unit     | 10×                 | 1,000×                  |
| --------- | -------- | ------------------- | ----------------------- |
| listing   | machines | 410: 61 ms, 110 MiB | 41,000: 5.3 ms, 138 MiB |
`),
      page,
    );
  });
});
