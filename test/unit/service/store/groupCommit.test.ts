import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { yieldToEventLoop } from '../../../../src/base/slices';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { GroupCommit } from '../../../../src/service/store/groupCommit';
import type { Store } from '../../../../src/service/store/store';

describe('GroupCommit', () => {
  let store: Store;
  let commits: GroupCommit;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    commits = new GroupCommit(store);
  });
  afterEach(() => store.destroy());

  const newOrganization = (id: string) => ({ id, name: id, createdAt: 1 });
  const organizationIds = async (): Promise<string[]> =>
    (await store.selectFrom('organizations').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
  const write = async (id: string, failure?: Error): Promise<string> =>
    commits.run(1, async (access) => {
      await insertOrganization(access, newOrganization(id));
      if (failure) throw failure;
      return id;
    });

  it('runs all writes, and returns the result of each', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `o${String(100 + n)}`);
    assert.deepEqual(await Promise.all(ids.map((id) => write(id))), ids);
    assert.deepEqual(await organizationIds(), ids);
  });

  it('rolls back only the writes that fail', async () => {
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

  it('fails all writes when SQLite ends their transaction, and continues with later ones', async () => {
    const diskFull = new Error('database or disk is full');
    const outcomes = await Promise.allSettled([
      write('first'),
      write('second'),
      commits.run(1, async (access) => {
        await sql`rollback`.execute(access);
        throw diskFull;
      }),
      write('third'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as unknown) : outcome.value,
      ),
      [diskFull, diskFull, diskFull, diskFull],
    );
    assert.deepEqual(await organizationIds(), []);
    assert.equal(await write('fourth'), 'fourth');
    assert.deepEqual(await organizationIds(), ['fourth']);
  });

  it('commits writes that insert many rows separately', async () => {
    const diskFull = new Error('database or disk is full');
    const outcomes = await Promise.allSettled([
      commits.run(3_000, (access) => insertOrganization(access, newOrganization('first'))),
      commits.run(3_000, async (access) => {
        await sql`rollback`.execute(access);
        throw diskFull;
      }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.deepEqual(await organizationIds(), ['first']);
  });

  it('commits writes that arrive in successive ticks together', async () => {
    const diskFull = new Error('database or disk is full');
    const first = write('first');
    await yieldToEventLoop();
    const second = commits.run(1, async (access) => {
      await sql`rollback`.execute(access);
      throw diskFull;
    });
    const outcomes = await Promise.allSettled([first, second]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });
});
