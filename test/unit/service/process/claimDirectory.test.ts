import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  claimDirectory,
  DirectoryLock,
  findRunningService,
  identityRoute,
  newProofKey,
  writeServiceFile,
} from '../../../../src/service/process/claimDirectory';

describe('claimDirectory', () => {
  let directory: string;
  let lock: DirectoryLock | undefined;

  const hold = (): void => {
    lock = DirectoryLock.tryAcquire(directory);
    assert.ok(lock);
  };
  const release = (): void => {
    lock?.[Symbol.dispose]();
    lock = undefined;
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  });
  afterEach(() => {
    release();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Starts a server that answers the identity request with its own key. */
  async function listen(proofKey: string) {
    const route = identityRoute(proofKey);
    const server = createServer((request, response) => {
      const client = { address: undefined, takeKey: () => undefined };
      if (!route(request, response, client)) response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  }

  it('allows one owner at a time', () => {
    hold();
    assert.equal(DirectoryLock.tryAcquire(directory), undefined);
    release();
    hold();
    assert.ok(existsSync(join(directory, 'service.lock')));
  });

  it('finds the service that owns the directory', async () => {
    hold();
    const proofKey = newProofKey();
    const { url, close } = await listen(proofKey);
    await writeServiceFile(directory, { pid: 7, url, proofKey, version: '1.0.0' });
    const claim = await claimDirectory(directory, 0);
    assert.deepEqual(claim, { kind: 'running', service: { pid: 7, url, version: '1.0.0' } });
    close();
  });

  it('waits for the owner to release the directory', async () => {
    hold();
    await writeServiceFile(directory, { pid: 7, proofKey: newProofKey() });
    setTimeout(release, 50);
    const claim = await claimDirectory(directory);
    assert.ok(claim.kind === 'owned');
    lock = claim.lock;
  });

  it('waits for a service that takes 40 seconds to start or stop', async () => {
    hold();
    await writeServiceFile(directory, { pid: 7, proofKey: newProofKey() });
    const now = performance.now.bind(performance);
    let ms = 0;
    try {
      performance.now = () => {
        const time = ms;
        ms = 40_000;
        return time;
      };
      setTimeout(release, 50);
      const claim = await claimDirectory(directory);
      assert.ok(claim.kind === 'owned');
      lock = claim.lock;
    } finally {
      performance.now = now;
    }
  });

  it('names an owner that does not respond', async () => {
    hold();
    await writeServiceFile(directory, { pid: 7, proofKey: newProofKey() });
    await assert.rejects(
      claimDirectory(directory, 0),
      /in use by process 7, which is stopping or doesn't respond/,
    );
  });

  it('does not mistake another program on the same port for the service', async () => {
    const { url, close } = await listen(newProofKey());
    await writeServiceFile(directory, { pid: 7, url, proofKey: newProofKey() });
    assert.equal(await findRunningService(directory), undefined);
    close();
    assert.equal(await findRunningService(directory), undefined);
  });

  it('ignores a damaged file', async () => {
    for (const content of ['', '{', '7', '{"pid":"7"}']) {
      writeFileSync(join(directory, 'service.json'), content);
      assert.equal(await findRunningService(directory), undefined);
    }
  });
});
