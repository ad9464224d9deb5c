import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetError } from '../../../../../src/core/api/errors';
import { ConnectionStore } from '../../../../../src/core/sessions/connectionStore';
import { signInFromFile } from '../../../../../src/host/features/connections/credentialsFile';
import { environmentKey } from '../../../../../src/host/features/connections/connectionCommands';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';

const KEY_ID = '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a';

describe('the key in the environment', () => {
  it('is offered if it is complete', () => {
    const environment = { SVC_API_KEY_ID: ` ${KEY_ID}`, SVC_API_KEY: 'k\n' };
    assert.deepEqual(environmentKey(environment), { keyId: KEY_ID, key: 'k', baseUrl: undefined });
    const withUrl = { ...environment, FLEETWRIGHT_BASE_URL: 'https://f.example.com' };
    assert.equal(environmentKey(withUrl)?.baseUrl, 'https://f.example.com');
  });

  it('is not offered if it is incomplete', () => {
    assert.equal(environmentKey({}), undefined);
    assert.equal(environmentKey({ SVC_API_KEY_ID: KEY_ID }), undefined);
    assert.equal(environmentKey({ SVC_API_KEY_ID: 'me', SVC_API_KEY: 'k' }), undefined);
  });
});

describe('signInFromFile', () => {
  let fleet: MemoryFleet;
  let folder: string;
  let store: ConnectionStore;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    store = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: fleet.open,
      logger: silentLogger,
    });
  });

  afterEach(async () => {
    store.dispose();
    rmSync(folder, { recursive: true });
    await fleet.close();
  });

  function write(content: unknown): string {
    const path = join(folder, 'credentials.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  function credentials(url = fleet.baseUrl) {
    const { id, secret } = fleet.key;
    return { url, apiKeyId: id, apiKey: secret, organizationId: fleet.organizationId };
  }

  it('signs in, and follows the service to another address', async () => {
    await signInFromFile(write(credentials()), store, fleet.open);
    assert.equal(store.active?.label, 'My Fleet · 127.0.0.1:1');
    fleet.calls.clear();
    await signInFromFile(write(credentials()), store, fleet.open);
    assert.equal(fleet.calls.size, 0);
    await signInFromFile(write(credentials('http://127.0.0.1:2/')), store, fleet.open);
    assert.equal(store.active.baseUrl, 'http://127.0.0.1:2');
    assert.equal(store.connections.length, 1);
  });

  it('names an invalid file', async () => {
    const isInvalid = (error: unknown): boolean =>
      error instanceof FleetError && error.kind === 'invalid' && error.message.includes(folder);
    await assert.rejects(signInFromFile(join(folder, 'none'), store, fleet.open), isInvalid);
    await assert.rejects(signInFromFile(write({}), store, fleet.open), isInvalid);
    const wrongUrl = write(credentials('ftp://example.com'));
    await assert.rejects(signInFromFile(wrongUrl, store, fleet.open), isInvalid);
  });

  it('stores nothing of a key that the service rejects', async () => {
    const wrong = write({ ...credentials(), apiKey: 'wrong' });
    await assert.rejects(signInFromFile(wrong, store, fleet.open), FleetError);
    assert.deepEqual(store.connections, []);
  });
});
