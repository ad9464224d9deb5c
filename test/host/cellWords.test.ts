import assert from 'node:assert/strict';
import { formatResult } from '../../src/host/features/notebooks/cellRunner';
import type { ResultStatus } from '../../src/shared/query/results';

describe('the text of a notebook cell whose result cannot be rendered', () => {
  const status: ResultStatus = {
    result: 'result 1',
    state: 'complete',
    rows: 2,
    bytes: 30,
    elapsedMs: 5,
    columns: 1,
    hasOverflow: false,
  };

  async function formatFirstLine(change: Partial<ResultStatus>): Promise<string | undefined> {
    const columns = [{ id: 'c0', name: 'n' }];
    const rows = [{ cells: [{ column: 'c0', kind: 'number', text: '7' }] }] as const;
    const resultRows = () => Promise.resolve({ start: 0, rows, columns, types: [] });
    const { signal } = new AbortController();
    const message = await formatResult({ ...status, ...change }, { resultRows }, signal);
    return message.split('\n')[0];
  }

  it('includes the number of rows, and that more can exist if some are missing', async () => {
    assert.equal(await formatFirstLine({}), '2 rows');
    assert.equal(await formatFirstLine({ rows: 1 }), '1 row');
    const canceled = { state: 'canceled' } as const;
    assert.equal(
      await formatFirstLine(canceled),
      'Canceled after 2 rows. There might be more rows.',
    );
    assert.equal(
      await formatFirstLine({ ...canceled, rows: 0 }),
      'Canceled before the first row arrived.',
    );
    assert.match(
      (await formatFirstLine({ state: 'full' })) ?? '',
      /^Only the first 2 rows are available\. Export All/,
    );
  });
});
