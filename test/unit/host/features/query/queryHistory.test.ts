import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionId } from '../../../../../src/core/model/ids';
import { QueryHistory } from '../../../../../src/host/features/query/queryHistory';

const here = connectionId('here');
const elsewhere = connectionId('elsewhere');

describe('QueryHistory', () => {
  let folder: string;
  let file: string;
  let history: QueryHistory;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-history-'));
    file = join(folder, 'made', 'history.sqlite');
    history = new QueryHistory({ file, maxQueries: 5 });
  });

  afterEach(async () => {
    history.dispose();
    await rm(folder, { recursive: true });
  });

  function addQuery(text: string, at: number, connection = here): Promise<void> {
    return history.add(connection, { language: 'sql', text, at });
  }

  async function texts(searchText = '', connection = here): Promise<readonly string[]> {
    const { entries } = await history.search(connection, searchText, { limit: 100 });
    return entries.map(({ text }) => text);
  }

  it('is empty at first', async () => {
    assert.deepEqual(await history.search(here, '', { limit: 10 }), { entries: [], total: 0 });
  });

  it('stores queries with their results, newest first', async () => {
    await history.add(here, { language: 'mql', text: '[]', at: 1, rows: 3, elapsedMs: 40 });
    await addQuery('SELECT 1', 2);
    const { entries, total } = await history.search(here, '', { limit: 10 });
    assert.equal(total, 2);
    assert.deepEqual(
      entries.map(({ id, ...entry }) => ({ ...entry, hasId: id !== '' })),
      [
        { language: 'sql', text: 'SELECT 1', at: 2, hasId: true },
        { language: 'mql', text: '[]', at: 1, rows: 3, elapsedMs: 40, hasId: true },
      ],
    );
  });

  it('finds all words, ignoring case and position', async () => {
    await addQuery('SELECT temperature FROM readings', 1);
    await addQuery('SELECT data FROM readings WHERE x = 100%_', 2);
    await addQuery('SELECT "Größe" FROM readings', 3);
    assert.deepEqual(await texts('READINGS Temp'), ['SELECT temperature FROM readings']);
    assert.deepEqual(await texts('100%_'), ['SELECT data FROM readings WHERE x = 100%_']);
    assert.deepEqual(await texts('GRÖSSE'), []);
    assert.deepEqual(await texts('GRÖßE'), ['SELECT "Größe" FROM readings']);
  });

  it('counts the entries beyond a page', async () => {
    for (const at of [1, 2, 3, 4]) await addQuery(`SELECT ${String(at)}`, at);
    const first = await history.search(here, 'select', { limit: 2 });
    await addQuery('SELECT 5', 5);
    const after = first.entries.at(-1);
    const { entries, total } = await history.search(here, 'select', { limit: 2, after });
    assert.deepEqual([first.total, total], [4, 5]);
    assert.deepEqual(
      [...first.entries, ...entries].map(({ text }) => text),
      ['SELECT 4', 'SELECT 3', 'SELECT 2', 'SELECT 1'],
    );
  });

  it('moves a query that is run again to the top', async () => {
    await addQuery('SELECT 1', 1);
    await addQuery('SELECT 2', 2);
    await addQuery('SELECT 1', 3);
    assert.deepEqual(await texts(), ['SELECT 1', 'SELECT 2']);
  });

  it('drops the oldest entries beyond the limit', async () => {
    for (const at of [1, 2, 3, 4, 5, 6, 7]) await addQuery(`SELECT ${String(at)}`, at);
    const newest = [7, 6, 5, 4, 3].map((at) => `SELECT ${String(at)}`);
    assert.deepEqual(await texts(), newest);
  });

  it('separates connections, also in deletion', async () => {
    await addQuery('SELECT 1', 1);
    await addQuery('SELECT 2', 2, elsewhere);
    const { entries } = await history.search(elsewhere, '', { limit: 1 });
    await history.remove(here, entries[0]?.id ?? '');
    assert.deepEqual(await texts('', elsewhere), ['SELECT 2']);
    await history.clear(here);
    assert.deepEqual(await texts(), []);
    assert.deepEqual(await texts('', elsewhere), ['SELECT 2']);
  });

  it('leaves no trace of deleted entries in the file', async () => {
    await addQuery('SELECT confidential_column FROM readings', 1);
    const { entries } = await history.search(here, '', { limit: 1 });
    await history.remove(here, entries[0]?.id ?? '');
    assert.deepEqual(await texts(), []);
    assert.ok(!(await readFile(file)).includes('confidential_column'));
  });

  it('is shared by windows that write at the same time', async () => {
    const other = new QueryHistory({ file, maxQueries: 100 });
    const mine = new QueryHistory({ file, maxQueries: 100 });
    try {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? mine : other).add(here, {
            language: 'sql',
            text: `SELECT ${String(index)}`,
            at: index,
          }),
        ),
      );
      assert.equal((await mine.search(here, '', { limit: 100 })).total, 20);
      assert.equal((await other.search(here, '', { limit: 100 })).total, 20);
    } finally {
      mine.dispose();
      other.dispose();
    }
  });

  it('is restored in a window that is opened later', async () => {
    await addQuery('SELECT 1', 1);
    history.dispose();
    history = new QueryHistory({ file, maxQueries: 5 });
    assert.deepEqual(await texts(), ['SELECT 1']);
  });

  it('stores no empty or extremely long text', async () => {
    await addQuery(' \n', 1);
    await addQuery(`SELECT '${'x'.repeat(100_000)}'`, 2);
    assert.deepEqual(await texts(), []);
  });

  it('is readable only by its owner', async function () {
    if (process.platform === 'win32') this.skip();
    await addQuery('SELECT 1', 1);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('reports why it is unavailable', async () => {
    await writeFile(join(folder, 'made'), 'a file where a folder should be');
    await assert.rejects(addQuery('SELECT 1', 1), { name: 'FleetError', kind: 'unavailable' });
  });

  it('is available again after the problem is solved', async () => {
    const obstacle = join(folder, 'made');
    await writeFile(obstacle, 'a file where a folder should be');
    await assert.rejects(addQuery('SELECT 1', 1));
    await rm(obstacle);
    await addQuery('SELECT 2', 2);
    assert.deepEqual(await texts(), ['SELECT 2']);
  });
});
