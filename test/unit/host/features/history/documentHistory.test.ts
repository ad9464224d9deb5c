import assert from 'node:assert/strict';
import {
  createConfigSource,
  createHistorySource,
} from '../../../../../src/core/documents/documentSources';
import { FleetError } from '../../../../../src/core/api/errors';
import { organizationId } from '../../../../../src/core/model/ids';
import {
  DocumentHistory,
  historySnapshot,
} from '../../../../../src/host/features/history/documentHistory';
import { historyProtocol } from '../../../../../src/shared/history';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';
import { plainMessages } from './plainWords';

const EDITS = 60;

describe('DocumentHistory', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let history: DocumentHistory;
  let edit: (rpm: number) => Promise<void>;
  let limits: (number | undefined)[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const stores = sessions.stores();
    const fragment = await stores.fragments.create(organizationId(fleet.organizationId), 'base');
    edit = async (rpm) => {
      fleet.clock.advance(1_000);
      await stores.fragments.updateConfig(fragment.id, {
        name: 'base',
        configText: JSON.stringify({ rpm }),
      });
    };
    for (let rpm = 1; rpm <= EDITS; rpm += 1) await edit(rpm);
    const subject = { type: 'fragmentConfig', id: fragment.id } as const;
    const entries = createHistorySource(stores, subject);
    assert.ok(entries);
    limits = [];
    history = new DocumentHistory(createConfigSource(stores, subject), (request) => {
      limits.push(request.limit);
      return entries(request);
    });
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const texts = (): unknown[] =>
    history.revisions.map(({ text }) => JSON.parse(text ?? 'null') as unknown);

  it('loads page after page, to the beginning', async () => {
    await history.load();
    assert.deepEqual(texts().slice(0, 2), [{ rpm: EDITS }, { rpm: EDITS - 1 }]);
    while (history.hasMore) await history.loadMore();
    assert.equal(history.revisions.length, EDITS + 1);
    assert.deepEqual(texts().at(-1), {});
    assert.equal(new Set(history.revisions.map(({ key }) => key)).size, EDITS + 1);
    await history.loadMore();
    assert.equal(history.revisions.length, EDITS + 1);
  });

  it('reloads as many revisions as were loaded', async () => {
    await history.load();
    await history.loadMore();
    const before = history.revisions.map(({ key }) => key);
    await edit(EDITS + 1);
    limits = [];
    await history.load();
    assert.deepEqual(limits, [before.length]);
    const after = history.revisions.map(({ key }) => key);
    assert.equal(after.length, before.length);
    assert.deepEqual(after.slice(2), before.slice(1, -1));
    assert.equal(history.hasMore, true);
  });

  it('reloads several pages if the service limits their size', async () => {
    const stores = sessions.stores();
    const [fragment] = await stores.fragments.list(organizationId(fleet.organizationId));
    assert.ok(fragment);
    const subject = { type: 'fragmentConfig', id: fragment.id } as const;
    const entries = createHistorySource(stores, subject);
    assert.ok(entries);
    history = new DocumentHistory(createConfigSource(stores, subject), (request) =>
      entries({ ...request, limit: 10 }),
    );
    await history.load();
    for (let page = 0; page < 2; page += 1) await history.loadMore();
    assert.equal(history.revisions.length, 30);
    await history.load();
    assert.equal(history.revisions.length, 30);
    assert.equal(new Set(history.revisions.map(({ key }) => key)).size, 30);
  });

  it('preserves its rows when a page cannot be loaded', async () => {
    await history.load();
    const loaded = history.revisions.length;
    const aborted = AbortSignal.abort(new FleetError('canceled', 'Canceled.'));
    await assert.rejects(history.loadMore(aborted));
    await assert.rejects(history.load(aborted));
    assert.equal(history.revisions.length, loaded);
    await history.loadMore();
    assert.ok(history.revisions.length > loaded);
  });

  it('knows the previous state of each revision, including the last visible one', async () => {
    await history.load();
    for (const { key } of history.revisions) assert.ok(history.previousKey(key));
    assert.equal(history.previousKey('9.000000000' as never), undefined);
  });

  it('matches the protocol of the webview', async () => {
    await history.load();
    const messages = { ...plainMessages, editor: () => 'ada' };
    const snapshot: unknown = structuredClone(historySnapshot(history, 'Acme', messages));
    assert.ok(historyProtocol.load.result(snapshot));
    assert.equal(snapshot.title, 'base');
    const [current, older] = snapshot.rows;
    assert.ok(current && older);
    assert.equal(current.summary, `rpm: ${EDITS - 1} → ${EDITS}`);
    assert.equal(current.current, true);
    assert.equal(current.previousKey, older.key);
    assert.ok((current.madeOn ?? 0) > (older.madeOn ?? Infinity));
  });
});
