import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { SharedCommits } from '../../../../src/service/store/sharedCommits';
import type { Store } from '../../../../src/service/store/store';

describe('writes that are committed together', () => {
  let store: Store;
  let commits: SharedCommits;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    commits = new SharedCommits(store);
  });
  afterEach(() => store.destroy());

  const organizationIds = async (): Promise<string[]> =>
    (await store.selectFrom('organizations').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const write = async (id: string, failure?: Error): Promise<string> =>
    commits.run(async (access) => {
      await insertOrganization(access, { id, name: id, createdAt: 1 });
      if (failure) throw failure;
      return id;
    });

  it('all happen, and each answers its own', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `o${String(100 + n)}`);
    assert.deepEqual(await Promise.all(ids.map((id) => write(id))), ids);
    assert.deepEqual(await organizationIds(), ids);
  });

  it('fail by themselves, and leave nothing then', async () => {
    const failure = new Error('not this one');
    const outcomes = await Promise.allSettled([
      ...[write('first'), write('second', failure), write('first'), write('third')],
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.equal((outcomes[1] as PromiseRejectedResult).reason, failure);
    assert.deepEqual(await organizationIds(), ['first', 'third']);
  });

  it('all fail when SQLite ends their transaction, and later ones go on', async () => {
    const diskFull = new Error('database or disk is full');
    const outcomes = await Promise.allSettled([
      write('first'),
      write('second'),
      commits.run(async (access) => {
        await sql`rollback`.execute(access);
        throw diskFull;
      }),
      write('third'),
    ]);
    // The first write was already in progress, alone, when the other writes arrived.
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as unknown) : outcome.value,
      ),
      ['first', diskFull, diskFull, diskFull],
    );
    assert.deepEqual(await organizationIds(), ['first']);
    assert.equal(await write('fourth'), 'fourth');
    assert.deepEqual(await organizationIds(), ['first', 'fourth']);
  });
});
