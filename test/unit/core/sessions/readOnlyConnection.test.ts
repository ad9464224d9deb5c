import assert from 'node:assert/strict';
import { ReadOnlyConnectionError } from '../../../../src/core/api/readOnly';
import { type Connection, matchesAnyPattern } from '../../../../src/core/model/connection';
import { organizationId } from '../../../../src/core/model/ids';
import { hasRight } from '../../../../src/core/model/permissions';
import type { OrganizationTarget } from '../../../../src/core/model/resourceTarget';
import { parseConnection } from '../../../../src/core/sessions/connectionKeys';
import { ConnectionStore, type SignInRequest } from '../../../../src/core/sessions/connectionStore';
import { isReadOnlyKey } from '../../../../src/core/stores/isReadOnlyKey';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../support/memoryPorts';
import { silentLogger } from '../../../support/silentLogger';

describe('ConnectionStore with a read-only connection', () => {
  let fleet: MemoryFleet;
  let secrets: MemorySecrets;
  let global: MemoryKeyValue;
  let required: readonly string[];
  const windows: ConnectionStore[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    secrets = new MemorySecrets();
    global = new MemoryKeyValue();
    required = [];
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await fleet.close();
  });

  function openWindow(): ConnectionStore {
    const window = new ConnectionStore({
      secrets,
      global,
      workspace: new MemoryKeyValue(),
      open: fleet.open,
      isReadOnlyRequired: (connection) => matchesAnyPattern(required, connection),
      logger: silentLogger,
    });
    windows.push(window);
    return window;
  }

  function signIn(store: ConnectionStore, change: Partial<SignInRequest> = {}) {
    const { baseUrl, key } = fleet;
    return store.signIn({
      ...{ baseUrl, keyId: key.id, key: key.secret, label: 'Plant North', kind: 'cloud' },
      ...change,
    });
  }

  const create = (store: ConnectionStore, { id }: Connection) =>
    store.stores(id).locations.create(organizationId(fleet.organizationId), 'Hall', undefined);

  it('rejects changes and reads until changes are allowed', async () => {
    const store = openWindow();
    const connection = await signIn(store, { readOnly: true });
    assert.equal(connection.readOnly, 'chosen');
    assert.equal(store.hasReadOnly, true);
    assert.equal((await store.stores(connection.id).organizations.list()).length, 1);
    await assert.rejects(create(store, connection), ReadOnlyConnectionError);
    await store.setReadOnly(connection.id, false);
    assert.equal(store.hasReadOnly, false);
    assert.equal((await create(store, connection)).name, 'Hall');
  });

  it('stays read-only after a reload, and in all windows', async () => {
    const [here, there] = [openWindow(), openWindow()];
    const connection = await signIn(here);
    await new Promise(setImmediate);
    let changes = 0;
    there.onDidChangeConnections(() => (changes += 1));
    await here.setReadOnly(connection.id, true);
    await new Promise(setImmediate);
    assert.equal(changes, 1);
    assert.equal(there.connection(connection.id)?.readOnly, 'chosen');
    await assert.rejects(create(there, connection), ReadOnlyConnectionError);
    assert.equal(openWindow().connection(connection.id)?.readOnly, 'chosen');
    await there.setReadOnly(connection.id, false);
    await new Promise(setImmediate);
    assert.equal(here.connection(connection.id)?.readOnly, undefined);
  });

  it('stays read-only after a crash before the list of connections was stored', async () => {
    const here = openWindow();
    const { id } = await signIn(here);
    const stale = new Map(global.values);
    await here.setReadOnly(id, true);
    global = new MemoryKeyValue();
    for (const [key, value] of stale) global.values.set(key, value);
    const store = openWindow();
    const connection = store.connection(id) ?? assert.fail();
    await assert.rejects(create(store, connection), ReadOnlyConnectionError);
    assert.equal(store.connection(id)?.readOnly, 'chosen');
  });

  it('stays read-only when the user signs in again, and when the key is rotated', async () => {
    const store = openWindow();
    const { id } = await signIn(store, { readOnly: true });
    assert.equal((await signIn(store)).readOnly, 'chosen');
    assert.equal((await signIn(store, { label: 'New name' })).readOnly, 'chosen');
    await store.setReadOnly(id, false);
    assert.equal((await signIn(store)).readOnly, undefined);
  });

  it('rejects the rotation and the deletion of its own key', async () => {
    const store = openWindow();
    const { id, keyId } = await signIn(store, { readOnly: true });
    const organization = organizationId(fleet.organizationId);
    const [key] = await store.stores(id).apiKeys.list(organization);
    assert.ok(key);
    assert.equal(key.id, keyId);
    await assert.rejects(store.rotateKey(id, organization, key.id), ReadOnlyConnectionError);
    await assert.rejects(store.deleteKey(id, organization, key.id), ReadOnlyConnectionError);
    assert.equal((await store.stores(id).organizations.list({ fresh: true })).length, 1);
  });

  it('is read-only while a setting requires it, whatever the user chooses', async () => {
    const store = openWindow();
    const { id } = await signIn(store);
    required = ['plant*'];
    let changed: Connection | undefined;
    store.onDidChangeActive((connection) => (changed = connection));
    store.applySettings();
    assert.equal(changed?.readOnly, 'required');
    await store.setReadOnly(id, false);
    assert.equal(store.connection(id)?.readOnly, 'required');
    await assert.rejects(create(store, { ...changed, id }), ReadOnlyConnectionError);
    assert.equal(openWindow().connection(id)?.readOnly, 'required');
    required = [];
    store.applySettings();
    assert.equal(store.connection(id)?.readOnly, undefined);
  });

  it('keeps the choice of the user below the setting', async () => {
    const store = openWindow();
    required = [fleet.baseUrl];
    const { id, readOnly } = await signIn(store);
    assert.equal(readOnly, 'required');
    await store.setReadOnly(id, true);
    required = [];
    store.applySettings();
    assert.equal(store.connection(id)?.readOnly, 'chosen');
  });

  it('withholds the rights to change anything, but not those to view it', async () => {
    const store = openWindow();
    const connection = await signIn(store);
    const { stores } = store.session(connection.id);
    const target: OrganizationTarget = {
      kind: 'organization',
      connectionId: connection.id,
      organizationId: organizationId(fleet.organizationId),
      name: 'Acme',
    };
    const rights = async (): Promise<readonly boolean[]> => {
      const granted = await stores.access.getPermissionsFor(target);
      return (
        ['administer', 'control', 'writeData', 'inspect', 'readData', 'readSecrets'] as const
      ).map((right) => hasRight('organization', granted, right));
    };
    assert.deepEqual(await rights(), [true, true, true, true, true, true]);
    let changes = 0;
    stores.access.onDidChange(() => (changes += 1));
    await store.setReadOnly(connection.id, true);
    assert.equal(changes, 1);
    assert.equal(stores.access.readOnlyConnection?.label, 'Plant North');
    assert.deepEqual(await rights(), [false, false, false, true, true, true]);
    assert.equal(await isReadOnlyKey(stores, connection.keyId), false);
    await store.setReadOnly(connection.id, false);
    assert.equal(changes, 2);
    assert.deepEqual(await rights(), [true, true, true, true, true, true]);
  });
});

describe('parseConnection', () => {
  it('treats any stored mark as read-only', () => {
    const stored = {
      label: 'Acme',
      baseUrl: 'https://fleet.example.com',
      keyId: '11111111-2222-4333-8444-555555555555',
      kind: 'cloud',
    };
    assert.equal(parseConnection(stored)?.readOnly, undefined);
    assert.equal(parseConnection({ ...stored, readOnly: false })?.readOnly, undefined);
    for (const readOnly of [true, 'required', null, {}]) {
      assert.equal(parseConnection({ ...stored, readOnly })?.readOnly, 'chosen');
    }
  });
});

describe('matchesAnyPattern', () => {
  const connection = { label: 'Acme · prod', baseUrl: 'https://fleet.prod.example.com:8443' };
  const matches = (...patterns: readonly unknown[]) => matchesAnyPattern(patterns, connection);

  it('matches the whole label, URL, or host', () => {
    assert.ok(matches('acme · PROD'));
    assert.ok(matches('https://fleet.prod.example.com:8443'));
    assert.ok(matches(' https://fleet.prod.example.com:8443/ '));
    assert.ok(matches('fleet.prod.example.com:8443'));
    assert.ok(matches('*.prod.example.com*', 'other'));
    assert.ok(matches('*'));
    assert.ok(!matches('prod', 'prod.example.com', 'fleet-prod*', ''));
  });

  it('ignores elements that are not strings', () => {
    assert.ok(!matches(1, null, undefined, {}));
  });

  it('finds a host with a port by its name alone, too', () => {
    const local = { label: 'Lab', baseUrl: 'http://fleet.example.com:8080' };
    for (const pattern of ['fleet.example.com', '*.example.com', 'fleet.example.com:8080']) {
      assert.ok(matchesAnyPattern([pattern], local), pattern);
    }
    assert.ok(!matchesAnyPattern(['fleet.example.com:80'], local));
  });

  it('ends for a pattern with many stars', () => {
    assert.equal(matches(`${'*'.repeat(100)}no match`), false);
  });
});
