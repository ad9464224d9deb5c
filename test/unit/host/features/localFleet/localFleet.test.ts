import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetError } from '../../../../../src/core/api/errors';
import { grpcOpener } from '../../../../../src/core/api/grpcOpener';
import { apiKeyId } from '../../../../../src/core/model/ids';
import {
  ConnectionStore,
  type SignInRequest,
} from '../../../../../src/core/sessions/connectionStore';
import {
  launchService,
  type ServiceProgram,
} from '../../../../../src/host/features/localFleet/launchService';
import { LocalFleet } from '../../../../../src/host/features/localFleet/localFleet';
import { endProcess, processEnd } from '../../../../../src/host/features/localFleet/serviceProcess';
import { bundledProgram } from '../../../../support/bundledProgram';
import { MemoryKeyValue, MemorySecrets } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';
import { waitUntil } from '../../../../support/waitUntil';

const CLOUD: SignInRequest = {
  label: 'Cloud',
  baseUrl: 'https://cloud.test',
  kind: 'cloud',
  keyId: '6b0b3a6e-3d5c-4c11-9a54-0c4a3c2f5b11',
  key: 'secret',
};

interface Window {
  readonly fleet: LocalFleet;
  readonly store: ConnectionStore;
  close(): void;
}

function readPid(dataDirectory: string): number {
  const file = readFileSync(join(dataDirectory, 'service.json'), 'utf8');
  return (JSON.parse(file) as { pid: number }).pid;
}

/** Returns the command line of the service for a data directory if the system reports it. */
function getCommandLine(dataDirectory: string): string {
  const pid = String(readPid(dataDirectory));
  return execFileSync('ps', ['-p', pid, '-o', 'args='], { encoding: 'utf8' });
}

describe('LocalFleet', function () {
  this.timeout(120_000);
  let dataDirectory: string;
  let secrets: MemorySecrets;
  let global: MemoryKeyValue;
  let service: ServiceProgram;
  let program: ServiceProgram;
  let allowsScripts: boolean;
  let launch: typeof launchService;
  const windows: Window[] = [];
  const launchOptions = () => ({
    program,
    dataDirectory,
    demo: false,
    allowsScripts,
    environment: process.env,
  });

  before(async () => {
    service = {
      nodePath: process.execPath,
      scriptArguments: [await bundledProgram('service')],
    };
  });

  beforeEach(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    secrets = new MemorySecrets();
    global = new MemoryKeyValue();
    program = service;
    allowsScripts = false;
    launch = launchService;
  });

  afterEach(async () => {
    const [first] = windows;
    if (first?.fleet.state === 'running') await first.fleet.stop();
    for (const window of windows.splice(0)) window.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  function openWindow(): Window {
    const fleet: LocalFleet = new LocalFleet(
      {
        launch: (options) => launch(options),
        launchOptions,
        label: 'Local Fleet',
        logger: silentLogger,
      },
      () => store,
    );
    const store = new ConnectionStore({
      secrets,
      global,
      workspace: new MemoryKeyValue(),
      open: grpcOpener(silentLogger, () => []),
      whenReady: fleet.whenReady,
      logger: silentLogger,
    });
    const window = {
      fleet,
      store,
      close: () => {
        fleet.dispose();
        store.dispose();
      },
    };
    windows.push(window);
    return window;
  }

  /** Records the states of a fleet, starting at the time of the call. */
  function collectStates(fleet: LocalFleet): readonly string[] {
    const states: string[] = [];
    fleet.onDidChange(({ state, unexpected }) =>
      states.push(unexpected ? `${state} unexpectedly` : state),
    );
    return states;
  }

  function stateBecomes(fleet: LocalFleet, state: string): Promise<boolean> {
    return new Promise((resolve) => {
      fleet.onDidChange((change) => {
        if (change.state === state) resolve(change.unexpected);
      });
    });
  }

  it('starts once, signs in, is shared by windows, and stops for all of them', async () => {
    const [here, there] = [openWindow(), openWindow()];
    const [connection, shared] = await Promise.all([here.fleet.start(), there.fleet.start()]);
    assert.equal(connection.baseUrl, shared.baseUrl);
    assert.equal(connection.kind, 'local');
    const organizations = await here.store.stores(connection.id).organizations.list();
    assert.equal(organizations.length, 1);
    const stopped = stateBecomes(there.fleet, 'stopped');
    await here.fleet.stop();
    assert.equal(await stopped, true);
    await assert.rejects(
      here.store.stores(connection.id).organizations.list({ fresh: true }),
      (error) => error instanceof FleetError && error.action === 'startLocalFleet',
    );
  });

  it('is started by the first use after a reload, and preserves its data', async () => {
    const before = openWindow();
    const { id } = await before.fleet.start();
    const created = await before.store.stores(id).organizations.create('Kept');
    await before.fleet.stop();
    before.close();
    const reloaded = openWindow();
    assert.equal(reloaded.store.active?.id, id);
    const organizations = await reloaded.store.stores(id).organizations.list();
    assert.ok(organizations.some((organization) => organization.id === created.id));
    assert.equal(reloaded.fleet.state, 'running');
    windows.reverse();
  });

  it('starts the service again if it stops before the window has a lease', async () => {
    const { fleet, store } = openWindow();
    launch = async (options) => {
      launch = launchService;
      const ready = await launchService(options);
      const pid = readPid(dataDirectory);
      endProcess(pid);
      assert.ok(await processEnd(pid, 30_000));
      return ready;
    };
    const states = collectStates(fleet);
    const { id } = await fleet.start();
    assert.deepEqual(states, ['starting', 'running']);
    assert.equal((await store.stores(id).organizations.list()).length, 1);
  });

  it('continues with a rotated key in this window, in others, and after it was stopped', async () => {
    const [here, there] = [openWindow(), openWindow()];
    const { id, keyId } = await here.fleet.start();
    await there.fleet.start();
    const { organizations } = here.store.stores(id);
    const [organization] = await organizations.list();
    assert.ok(organization);
    const { key } = await here.store.rotateKey(id, organization.id, apiKeyId(keyId));
    const others = there.store.stores(id).organizations;
    assert.equal((await others.list({ fresh: true })).length, 1);
    assert.equal((await here.fleet.start()).id, id);
    assert.equal((await organizations.list({ fresh: true })).length, 1);
    await here.fleet.stop();
    assert.equal((await here.fleet.start()).id, id);
    assert.equal((await organizations.list({ fresh: true })).length, 1);
    assert.ok([...secrets.values.values()].some((value) => value.includes(key.secret)));
  });

  it('restarts with changed settings while calls wait', async () => {
    const { fleet, store } = openWindow();
    const { id } = await fleet.start();
    const { organizations } = store.stores(id);
    const [organization] = await organizations.list();
    const states = collectStates(fleet);
    allowsScripts = true;
    assert.equal(await fleet.runsScripts(), false);
    const restarted = fleet.restart();
    await waitUntil(() => fleet.state === 'starting', { pollMs: 0 });
    const organizationsBefore = await organizations.list({ fresh: true });
    await restarted;
    assert.deepEqual(organizationsBefore[0]?.id, organization?.id);
    assert.deepEqual([...new Set(states)], ['starting', 'running']);
    assert.match(getCommandLine(dataDirectory), /--allow-custom-training/);
    assert.equal(await fleet.runsScripts(), true);
    allowsScripts = false;
    assert.equal(await fleet.runsScripts(), false);
  });

  it('reconnects other windows when one restarts it, while their calls wait, too', async () => {
    const [here, there] = [openWindow(), openWindow()];
    const { id } = await here.fleet.start();
    await there.fleet.start();
    const cloud = await there.store.signIn(CLOUD);
    const states = collectStates(there.fleet);
    const runs = stateBecomes(there.fleet, 'running');
    const restarting = stateBecomes(there.fleet, 'starting');
    const restarted = here.fleet.restart();
    await restarting;
    const organizationsBefore = there.store.stores(id).organizations.list({ fresh: true });
    assert.equal((await organizationsBefore).length, 1);
    await Promise.all([restarted, runs]);
    assert.deepEqual(states, ['starting', 'running']);
    assert.equal(there.store.active?.id, cloud.id);
    const stopped = stateBecomes(here.fleet, 'stopped');
    await there.fleet.stop();
    assert.equal(await stopped, true);
  });

  it('does not switch a window that reads from the local fleet', async () => {
    const before = openWindow();
    const { id } = await before.fleet.start();
    before.close();
    const { fleet, store } = openWindow();
    const cloud = await store.signIn(CLOUD);
    assert.equal((await store.stores(id).organizations.list()).length, 1);
    assert.equal(store.active?.id, cloud.id);
    await fleet.start();
    assert.equal(store.active.id, id);
    windows.reverse();
  });

  it('is stopped in all windows if it cannot be restarted', async () => {
    const [here, there] = [openWindow(), openWindow()];
    await here.fleet.start();
    await there.fleet.start();
    const stopped = stateBecomes(there.fleet, 'stopped');
    program = { ...program, scriptArguments: ['-e', 'process.exit(1)', '--'] };
    await assert.rejects(here.fleet.restart(), /couldn't start/);
    assert.equal(await stopped, true);
    assert.equal(here.fleet.state, 'stopped');
  });

  it('does not wait if the window that restarts it was closed', async () => {
    const { fleet } = openWindow();
    await fleet.start();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(join(dataDirectory, 'restart.json'), JSON.stringify({ pid }));
    const states = collectStates(fleet);
    const stopped = stateBecomes(fleet, 'stopped');
    process.kill(readPid(dataDirectory), 'SIGKILL');
    assert.equal(await stopped, true);
    assert.deepEqual(states, ['stopped unexpectedly']);
  });

  it('is not started by a restart', async () => {
    const { fleet } = openWindow();
    await fleet.restart();
    assert.equal(fleet.state, 'unused');
  });

  it('starts with another key after its own was deleted', async () => {
    const { fleet, store } = openWindow();
    const { id, keyId } = await fleet.start();
    const [organization] = await store.stores(id).organizations.list();
    assert.ok(organization);
    await store.deleteKey(id, organization.id, apiKeyId(keyId));
    assert.equal(store.active, undefined);
    const again = await fleet.start();
    assert.equal((await store.stores(again.id).organizations.list()).length, 1);
    assert.equal(fleet.state, 'running');
  });

  it('replaces a running service of an older version once', async () => {
    const before = openWindow();
    await before.fleet.start();
    const file = join(dataDirectory, 'service.json');
    const known = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; version: string };
    writeFileSync(file, JSON.stringify({ ...known, version: '0.0.1' }));
    const updated = openWindow();
    const { id } = await updated.fleet.start();
    const replaced = JSON.parse(readFileSync(file, 'utf8')) as typeof known;
    assert.notEqual(replaced.pid, known.pid);
    assert.equal(replaced.version, known.version);
    assert.equal((await updated.store.stores(id).organizations.list()).length, 1);
    assert.equal((await before.store.stores(id).organizations.list({ fresh: true })).length, 1);
    assert.equal(readPid(dataDirectory), replaced.pid);
  });

  it('reports why it could not start', async () => {
    rmSync(dataDirectory, { recursive: true });
    writeFileSync(dataDirectory, 'not a directory');
    const { fleet } = openWindow();
    await assert.rejects(fleet.start(), (error) => {
      assert.ok(error instanceof FleetError, String(error));
      assert.equal(error.action, 'startLocalFleet');
      assert.match(error.message, /couldn't start/);
      return true;
    });
    assert.equal(fleet.state, 'stopped');
  });

  it("launchService rejects in the user's language with the exit code of a silent service", async () => {
    const broken = { ...program, scriptArguments: ['-e', 'process.exit(3)', '--'] };
    const seen: string[] = [];
    const l10n = {
      t: (message: string, ...args: readonly string[]) => {
        seen.push(message);
        return `<${args.join()}>`;
      },
    };
    await assert.rejects(launchService({ ...launchOptions(), program: broken }, l10n), {
      kind: 'unavailable',
      message: '<<3>>',
    });
    assert.deepEqual(seen, [
      'The service exited with code {0}.',
      "The local fleet couldn't start: {0}",
    ]);
  });

  it('includes the last line that the service wrote as the reason', async () => {
    const broken = {
      ...program,
      scriptArguments: [
        '-e',
        'console.error("a");console.error("service: no space left");process.exit(1)',
        '--',
      ],
    };
    await assert.rejects(
      launchService({ ...launchOptions(), program: broken }),
      /The local fleet couldn't start: no space left/,
    );
  });
});
