import assert from 'node:assert/strict';
import { LogRetention } from '../../../../src/service/logs/logRetention';
import type { NewLogLine } from '../../../../src/service/store/logs/logLines';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import type { Store } from '../../../../src/service/store/store';
import { silentLogger } from '../../../support/silentLogger';
import { organizationRow } from '../../../support/lakeRows';

const DAY = 86_400_000_000;
const NOW = Date.UTC(2026, 5, 1) * 1000;

describe('stored logs', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    await store.insertInto('organizations').values(organizationRow('acme')).execute();
    const common = { created_at: 1, metadata: '{}' };
    await store
      .insertInto('locations')
      .values({
        ...common,
        id: 'hall',
        organization_id: 'acme',
        parent_id: null,
        name: 'Hall',
        region: '',
      })
      .execute();
    await store
      .insertInto('machines')
      .values({ ...common, id: 'arm', location_id: 'hall', name: 'arm' })
      .execute();
    await store
      .insertInto('parts')
      .values({
        ...common,
        id: 'main',
        machine_id: 'arm',
        name: 'main',
        is_main: 1,
        config_json: '{}',
        last_updated: 1,
        last_access: null,
        restart_requested_at: null,
        restart_told_at: null,
      })
      .execute();
  });

  afterEach(() => store.destroy());

  async function add(message: string, storedAt: number): Promise<void> {
    const line: NewLogLine = {
      logged_at: storedAt,
      size: 100,
      level: 'info',
      level_key: 'info',
      logger_name: '',
      host: '',
      message,
      folded: null,
      caller: null,
      stack: '',
      fields: '[]',
    };
    await store
      .insertInto('log_lines')
      .values({ ...line, part_id: 'main', stored_at: storedAt })
      .execute();
  }

  async function messages(): Promise<string[]> {
    const rows = await store.selectFrom('log_lines').select('message').orderBy('id').execute();
    return rows.map(({ message }) => message);
  }

  it('are not older than the limit', async () => {
    await add('old', NOW - 8 * DAY);
    await add('young', NOW - 6 * DAY);
    const limits = { days: 7 };
    await new LogRetention({ store, now: () => NOW, logger: silentLogger, limits }).enforce();
    assert.deepEqual(await messages(), ['young']);
  });

  it('are not larger than the limit', async () => {
    await add('first', NOW - 2);
    await add('second', NOW - 1);
    const limits = { bytes: 250 };
    const retention = new LogRetention({ store, now: () => NOW, logger: silentLogger, limits });
    await retention.enforce();
    assert.deepEqual(await messages(), ['first', 'second']);
    await add('third', NOW);
    retention.linesStored(100);
    await retention.enforce();
    assert.ok((await messages()).length < 3);
  });

  it('are no longer deleted after the service stops', async () => {
    const old = NOW - 8 * DAY;
    await add('old', old);
    const first = await store.selectFrom('log_lines').selectAll().executeTakeFirstOrThrow();
    // Several batches.
    for (let batch = 0; batch < 50; batch += 1) {
      const lines = Array.from({ length: 200 }, (_, n) => ({ ...first, id: 2 + batch * 200 + n }));
      await store.insertInto('log_lines').values(lines).execute();
    }
    const limits = { days: 7 };
    const retention = new LogRetention({ store, now: () => NOW, logger: silentLogger, limits });
    const enforcing = retention.enforce();
    setImmediate(() => void retention.close());
    await enforcing;
    assert.ok((await messages()).length > 0);
  });
});
