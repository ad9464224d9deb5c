import assert from 'node:assert/strict';
import { FleetError } from '../../../../../../src/core/api/errors';
import { organizationId, registryItemId } from '../../../../../../src/core/model/ids';
import type { RegistryItemTarget } from '../../../../../../src/core/model/resourceTarget';
import type { ModuleUpdate } from '../../../../../../src/core/stores/registryRequests';
import { ItemSession } from '../../../../../../src/host/features/registry/itemPage/itemSession';
import { keyWithRoles } from '../../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../../support/memoryFleet';
import { TestClock } from '../../../../../support/testClock';
import { TestSessions } from '../../../../../support/testSessions';

const about: ModuleUpdate = {
  visibility: 'public' as const,
  url: '',
  description: 'Moves arms.',
  entrypoint: 'run',
  models: [],
  markdown: '# Arm',
};

async function* archive(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield new Uint8Array(1_000);
}

describe('the item of a registry page', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let session: ItemSession;
  let changes: number;
  let clock: TestClock;
  const { signal } = new AbortController();

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    clock = new TestClock();
    const organization = organizationId(fleet.organizationId);
    const { registry } = sessions.stores();
    const { id } = await registry.createModule(organization, 'arm');
    const key = { id, organizationId: organization };
    await registry.updateModule(key, about);
    const upload = { version: '1.0.0', platform: 'linux/amd64', read: archive };
    await registry.uploadModule({ ...key, ...upload });
    session = open({ itemId: id });
  });

  afterEach(async () => {
    session.dispose();
    sessions.dispose();
    await fleet.close();
  });

  function open({ itemId }: Pick<RegistryItemTarget, 'itemId'>): ItemSession {
    const target: RegistryItemTarget = {
      kind: 'registryItem',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
      itemId,
      itemType: 'module',
      name: 'arm',
    };
    const opened = new ItemSession(target, {
      sessions,
      clock,
      deletedMessage: () => `${itemId} was deleted`,
    });
    changes = 0;
    opened.onDidChange(() => (changes += 1));
    return opened;
  }

  const describeError = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    return error instanceof FleetError ? `${error.kind}: ${error.message}` : 'nothing failed';
  };

  it('is loaded completely, with the name of its organization', async () => {
    const { item, owner } = await session.load(false, signal);
    assert.equal(item.markdown, '# Arm');
    assert.equal(item.visibility, 'public');
    assert.ok(owner !== undefined && owner !== '');
    assert.equal(session.current, item);
  });

  it('is requested once, and again on request', async () => {
    await session.load(false, signal);
    fleet.calls.clear();
    await session.load(false, signal);
    assert.equal(fleet.calls.get('GetRegistryItem'), undefined);
    await session.load(true, signal);
    assert.equal(fleet.calls.get('GetRegistryItem'), 1);
  });

  it('is read from the service when its page opens, even if it is cached', async () => {
    const { registry } = sessions.stores();
    await registry.get(session.target.itemId);
    fleet.calls.clear();
    await session.load(false, signal);
    assert.equal(fleet.calls.get('GetRegistryItem'), 1);
  });

  it('is reloaded when its page is shown again after some seconds, and not before', async () => {
    await session.load(false, signal);
    assert.equal(session.isOld, false);
    session.refreshIfOld();
    clock.advance(4_000);
    session.refreshIfOld();
    assert.equal(changes, 0);
    clock.advance(4_000);
    session.refreshIfOld();
    assert.equal(changes, 1);
  });

  it('is outdated with the time it was read until the service responds again', async () => {
    const { readAt } = await session.load(false, signal);
    assert.equal(readAt, clock.now().getTime());
    clock.advance(60_000);
    fleet.calls.clear();
    assert.equal((await session.load(false, signal)).readAt, readAt);
    assert.equal(fleet.calls.get('GetRegistryItem'), undefined);
    assert.equal(session.isOld, true);
    const stopped = new AbortController();
    const reading = session.load(true, stopped.signal);
    stopped.abort();
    await assert.rejects(reading);
    assert.equal(session.isOld, true);
    assert.equal((await session.load(true, signal)).readAt, clock.now().getTime());
    assert.equal(session.isOld, false);
  });

  it('is not outdated after the registry changed and it was reloaded', async () => {
    await session.load(false, signal);
    clock.advance(60_000);
    sessions.stores().registry.refresh();
    const { readAt } = await session.load(false, signal);
    assert.equal(readAt, clock.now().getTime());
    assert.equal(session.isOld, false);
  });

  it('remains available while it is reloaded, and when that is canceled', async () => {
    const { item } = await session.load(false, signal);
    const stopped = new AbortController();
    const reading = session.load(true, stopped.signal);
    assert.equal(session.current, item);
    stopped.abort();
    await assert.rejects(reading);
    assert.equal(session.current, item);
  });

  it('remains available while the service is unavailable, and is then read again', async () => {
    const { item } = await session.load(false, signal);
    const { registry } = sessions.stores();
    const get = registry.get.bind(registry);
    registry.get = () => Promise.reject(new FleetError('unavailable', 'No answer.'));
    const failed = await describeError(session.load(true, signal));
    assert.equal(failed, 'unavailable: No answer.');
    // The page still shows the item and its actions.
    assert.equal(session.current, item);
    registry.get = get;
    fleet.calls.clear();
    await session.load(false, signal);
    assert.equal(fleet.calls.get('GetRegistryItem'), 1);
  });

  it('includes the archives of its packages', async () => {
    await session.load(false, signal);
    const files = await session.files(signal);
    assert.deepEqual(
      files.map(({ version, platform }) => [version, platform]),
      [['1.0.0', 'linux/amd64']],
    );
  });

  it('is readable while public, without the names of others and their archives', async () => {
    const { organizations } = sessions.stores();
    const { id: own } = await organizations.create('Other');
    const other = { ...fleet, organizationId: own };
    const others = new TestSessions(await keyWithRoles(other, ['owner', 'organization', own]));
    const target = { ...session.target, connectionId: others.connectionToFleet.id };
    const theirs = new ItemSession(target, {
      sessions: others,
      clock,
      deletedMessage: () => 'gone',
    });
    const { item, owner } = await theirs.load(false, signal);
    assert.equal(item.description, about.description);
    assert.equal(owner, undefined);
    assert.deepEqual(await theirs.files(signal), []);
    theirs.dispose();
    others.dispose();
  });

  it('reports changes through this window', async () => {
    const { item } = await session.load(false, signal);
    const { registry } = sessions.stores();
    await registry.updateModule(item, { ...about, description: 'New.' });
    assert.ok(changes > 0);
    assert.equal((await session.load(false, signal)).item.description, 'New.');
  });

  it('reports that it was deleted', async () => {
    const { item } = await session.load(false, signal);
    await sessions.stores().registry.delete(item);
    assert.ok(changes > 0);
    assert.match(await describeError(session.load(false, signal)), /^notFound: .*was deleted$/);
    assert.equal(session.current, undefined);
  });

  it('ends with the sign-out, and is restored with the next sign-in', async () => {
    await session.load(false, signal);
    sessions.signOut();
    assert.equal(changes, 1);
    assert.match(await describeError(session.load(false, signal)), /^unauthenticated/);
    assert.equal(session.current, undefined);
    sessions.signIn();
    assert.equal(changes, 2);
    assert.equal((await session.load(false, signal)).item.name, 'arm');
    sessions.stores().registry.refresh();
    assert.equal(changes, 3);
  });

  it('returns no archives before it was loaded, and an error for a missing item', async () => {
    assert.deepEqual(await session.files(signal), []);
    session.dispose();
    session = open({ itemId: registryItemId('acme:nothing') });
    assert.match(
      await describeError(session.load(false, signal)),
      /^notFound: acme:nothing was deleted$/,
    );
  });
});
