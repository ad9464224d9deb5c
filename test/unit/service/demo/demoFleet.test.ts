import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { FragmentVisibility } from '../../../../src/gen/viam/app/v1/fragment_pb';
import { OnlineState } from '../../../../src/gen/viam/app/v1/machine_pb';
import { Visibility } from '../../../../src/gen/viam/app/v1/registry_pb';
import type { OpenTransport } from '../../../../src/service/demo/demoClient';
import { DemoFleet } from '../../../../src/service/demo/demoFleet';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { silentLogger } from '../../../support/silentLogger';
import { TestClock } from '../../../support/testClock';
import { type FleetContent, openFleet, readFleet } from '../../../support/loadedFleet';

const MACHINES = 41;

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

describe('DemoFleet', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  const clock = new TestClock('2026-03-01T12:00:00.000Z');
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'demo-fleet-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  describe('after loading', () => {
    let content: FleetContent;

    before(async () => {
      const { service, app } = await openFleet({ clock, demo: true });
      content = await readFleet(app);
      await service.close();
    });

    it('contains two companies with three levels of locations and about forty machines', () => {
      assert.deepEqual(
        content.organizations.map(({ name, publicNamespace }) => [name, publicNamespace]),
        [
          ['Norrvik Automation', 'norrvik'],
          ['Saltmarsh Field Robotics', 'saltmarsh'],
        ],
      );
      const parents = new Map(content.locations.map((one) => [one.id, one.parentLocationId]));
      const depth = (id: string): number => (id === '' ? 0 : 1 + depth(parents.get(id) ?? ''));
      assert.equal(Math.max(...content.locations.map(({ id }) => depth(id))), 3);
      assert.equal(content.machines.length, MACHINES);
      assert.equal(content.parts.filter((part) => part.mainPart).length, MACHINES);
      assert.ok(content.parts.length > MACHINES + 5);
    });

    it('publishes modules, a model, and a training script that configs name', () => {
      assert.deepEqual(
        content.registryItems.map(({ itemId, visibility, totalRobotUsage, metadata }) => [
          itemId,
          visibility,
          totalRobotUsage > 0n,
          metadata.case === 'moduleMetadata'
            ? metadata.value.versions.map(({ version, files }) => `${version} ${files.length}`)
            : metadata.case,
        ]),
        [
          ['norrvik:edge-health', Visibility.PRIVATE, true, ['1.3.0 2', '1.4.0 2', '1.4.2 2']],
          ['norrvik:modbus-io', Visibility.PUBLIC, true, ['1.7.2 3', '1.8.0 3', '1.9.0-rc.1 3']],
          ['norrvik:pallet-detector', Visibility.PRIVATE, false, 'mlModelMetadata'],
          ['norrvik:train-pallet-detector', Visibility.PRIVATE, false, 'mlTrainingMetadata'],
        ],
      );
    });

    it('has fragments of every visibility', () => {
      assert.equal(content.fragments.length, 8);
      assert.deepEqual(
        new Set(content.fragments.map(({ visibility }) => visibility)),
        new Set([
          FragmentVisibility.PRIVATE,
          FragmentVisibility.PUBLIC,
          FragmentVisibility.PUBLIC_UNLISTED,
        ]),
      );
    });

    it('has users with roles, and pending invitations', () => {
      assert.deepEqual(
        content.memberEmails.filter((email) => email.endsWith('norrvik.example')).toSorted(),
        ['elin.berg@norrvik.example', 'omar.haddad@norrvik.example', 'signe.lund@norrvik.example'],
      );
      assert.deepEqual(content.invitedEmails, [
        'night.shift@norrvik.example',
        'harvest@ribeira-clara.example',
      ]);
      const lab = content.locations.find(({ name }) => name === 'Application Lab');
      assert.deepEqual(
        lab?.organizations.map(({ primary }) => primary),
        [true, false],
      );
    });

    it('has histories: every part was edited by several keys in chronological order', () => {
      assert.ok(content.history.length > 100, `${content.history.length} edits`);
      assert.ok(new Set(content.history.map((entry) => entry.editedBy?.value)).size >= 4);
      for (const { id, name, createdOn, lastUpdated } of content.parts) {
        const edits = content.history.filter((entry) => entry.part === id);
        const times = edits.map(({ when }) => (when ? timestampMs(when) : NaN));
        assert.ok(edits.length > 0, name);
        assert.deepEqual(
          times,
          [...times].sort((a, b) => b - a),
          name,
        );
        assert.ok(createdOn && lastUpdated);
        assert.ok(timestampMs(createdOn) < (times.at(-1) ?? 0), name);
        assert.equal(timestampMs(lastUpdated), times[0], name);
        assert.ok(timestampMs(lastUpdated) < clock.now().getTime(), name);
      }
    });

    it('has machines that are online, offline, or were never online', () => {
      const states = content.machines.map(({ onlineState }) => onlineState);
      for (const [state, least] of [
        [OnlineState.ONLINE, 25],
        [OnlineState.OFFLINE, 3],
        [OnlineState.AWAITING_SETUP, 2],
      ] as const) {
        const count = states.filter((one) => one === state).length;
        assert.ok(count >= least, `${OnlineState[state]}: ${count}`);
      }
    });
  });

  it('is loaded once: later starts change nothing and do not restore deleted data', async () => {
    const first = await openFleet({ clock, demo: true, dataDir });
    const loaded = await readFleet(first.app);
    await first.service.close();

    const second = await openFleet({ clock, demo: true, dataDir, credentials: first.owner });
    assert.deepEqual(second.owner, first.owner);
    assert.deepEqual(await readFleet(second.app), loaded);
    for (const location of loaded.locations.filter((one) => one.parentLocationId === '')) {
      await second.app.deleteLocation({ locationId: location.id });
    }
    await second.service.close();

    const third = await openFleet({ clock, demo: true, dataDir, credentials: first.owner });
    assert.deepEqual((await readFleet(third.app)).machines, []);
    await third.service.close();
  });

  it('starts over after an interrupted load, complete and without duplicates', async () => {
    const cutOff = await openFleet({ clock, demo: false, dataDir });
    const store = await openSqliteStore(join(dataDir, 'fleet.db'));
    const demo = new DemoFleet(store, clock, silentLogger, false);
    await demo.prepare(true);
    await assert.rejects(demo.start(failingAfter(250, cutOff.open), cutOff.owner), /power cut/);
    const half = await readFleet(cutOff.app);
    assert.ok(half.machines.length > 5 && half.machines.length < MACHINES);
    await store.destroy();
    await cutOff.service.close();

    const next = await openFleet({ clock, demo: false, dataDir, credentials: cutOff.owner });
    const whole = await readFleet(next.app);
    await next.service.close();
    assert.deepEqual(
      [
        whole.organizations.length,
        whole.fragments.length,
        whole.machines.length,
        whole.registryItems.length,
      ],
      [2, 8, MACHINES, 4],
    );
    assert.equal(new Set(whole.machines.map(({ name }) => name)).size, MACHINES);
    // The owner's key belongs to both organizations.
    assert.deepEqual(whole.keyNames.toSorted(), [
      'Build server',
      'Buoy watcher',
      'Commissioning engineers',
      'Field laptop',
      'Hall dashboard',
      'Lab scripts',
      'Local owner',
      'Local owner',
      'Release pipeline',
    ]);
    assert.deepEqual(whole.organizations.map(({ publicNamespace }) => publicNamespace).toSorted(), [
      'norrvik',
      'saltmarsh',
    ]);
  });

  it('does not change a fleet that a user has started', async () => {
    const begun = await openFleet({ clock, demo: false, dataDir });
    await begun.app.createLocation({ organizationId: begun.owner.organizationId, name: 'Mine' });
    await begun.service.close();
    const next = await openFleet({ clock, demo: true, dataDir, credentials: begun.owner });
    const { organizations, locations } = await readFleet(next.app);
    await next.service.close();
    assert.deepEqual(
      [organizations.map(({ name }) => name), locations.map(({ name }) => name)],
      [['My Fleet'], ['Mine']],
    );
  });
});

/** Lets a number of calls through and rejects all further calls. */
function failingAfter(calls: number, open: OpenTransport): OpenTransport {
  let left = calls;
  return (interceptors) =>
    open([
      (next) => (request) => {
        left -= 1;
        if (left < 0) throw new ConnectError('power cut', Code.Unavailable);
        return next(request);
      },
      ...interceptors,
    ]);
}
