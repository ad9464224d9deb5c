import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { organizationId, type PartId } from '../../../../src/core/model/ids';
import { type RestartTrack, trackRestarts } from '../../../../src/core/stores/restartTrack';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import type { PartContact } from '../../../../src/core/stores/partStore';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryMachine } from '../../../support/memoryMachine';
import { TestSessions } from '../../../support/testSessions';

type Step = () => unknown;

const MINUTE_MS = 60_000;

describe('trackRestarts', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function newPart(name: string): Promise<PartId> {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.locations.create(organization, 'Yard', undefined);
    const [part] = await stores.parts.list(await stores.machines.create(id, name));
    return part?.id ?? assert.fail();
  }

  /**
   * Tracks restarts, performing one step between consecutive polls; returns the result of each
   * poll.
   */
  async function follow(
    parts: readonly PartId[],
    steps: readonly Step[],
    read = (id: PartId) => stores.parts.readContact(id),
    signal = new AbortController().signal,
  ): Promise<{
    readonly seen: readonly string[];
    readonly tracks: readonly RestartTrack<PartId>[];
  }> {
    const seen: string[] = [];
    const waiting = [...steps];
    const tracks = await trackRestarts(parts, {
      read,
      signal,
      clock: fleet.clock,
      sleep: async () => {
        fleet.clock.advance(1_000);
        await waiting.shift()?.();
      },
      onPoll: (all) => {
        seen.push(all.map(({ stage }) => stage).join(' '));
      },
    });
    return { seen, tracks };
  }

  it('reports the request, its receipt by the machine, the start, and the first call', async () => {
    const id = await newPart('rover');
    const machine = await MemoryMachine.ofPart(fleet, id);
    await machine.start();
    fleet.clock.advance(5_000);
    await stores.parts.markForRestart(id);
    const { seen, tracks } = await follow(
      [id],
      [
        () => undefined,
        () => machine.checkNeedsRestart(),
        () => machine.checkNeedsRestart(),
        () => machine.signIn(),
        () => machine.fetchConfig(),
      ],
    );
    assert.deepEqual(seen, ['marked', 'marked', 'told', 'told', 'started', 'online']);
    assert.equal(tracks[0]?.end, 'done');
  });

  it('does not count a machine that only logs as having received the request', async () => {
    const id = await newPart('rover');
    const machine = await MemoryMachine.ofPart(fleet, id);
    await machine.start();
    await stores.parts.markForRestart(id);
    const { seen } = await follow(
      [id],
      [() => machine.fetchConfig(), () => machine.checkNeedsRestart(), () => machine.start()],
    );
    assert.deepEqual(seen, ['marked', 'marked', 'told', 'online']);
  });

  it('does not wait for an offline machine, and reports when it was last online', async () => {
    const [gone, never] = [await newPart('rover'), await newPart('spare')];
    const machine = await MemoryMachine.ofPart(fleet, gone);
    await machine.start();
    const contact = fleet.clock.now();
    fleet.clock.advance(3 * MINUTE_MS);
    await stores.parts.markForRestart(gone);
    const { seen, tracks } = await follow([gone, never], []);
    assert.deepEqual(seen, ['marked marked']);
    assert.deepEqual(
      tracks.map(({ end, contact: last }) => [end, last?.lastAccess?.getTime()]),
      [
        ['away', contact.getTime()],
        ['away', undefined],
      ],
    );
  });

  it('times out two minutes after a machine received the request and did not return', async () => {
    const id = await newPart('rover');
    const machine = await MemoryMachine.ofPart(fleet, id);
    await machine.start();
    await stores.parts.markForRestart(id);
    const { seen, tracks } = await follow([id], [() => machine.checkNeedsRestart()]);
    assert.equal(seen.length, 1 + 1 + 120);
    const [track] = tracks;
    assert.deepEqual(
      [track?.stage, track?.end, track?.contact?.status],
      ['told', 'late', 'offline'],
    );
  });

  it('continues if the service does not respond for a while', async () => {
    const id = await newPart('rover');
    const machine = await MemoryMachine.ofPart(fleet, id);
    await machine.start();
    await stores.parts.markForRestart(id);
    let failures = 3;
    const read = (part: PartId): Promise<PartContact> => {
      if (failures-- > 0) return Promise.reject(new FleetError('unavailable', 'down'));
      return stores.parts.readContact(part);
    };
    const { tracks } = await follow(
      [id],
      [
        () => undefined,
        () => undefined,
        () => undefined,
        () => machine.checkNeedsRestart(),
        () => machine.start(),
      ],
      read,
    );
    assert.deepEqual([tracks[0]?.stage, tracks[0]?.end], ['online', 'done']);
  });

  it('reports only that a machine called if the service does not report requests', async () => {
    const id = await newPart('rover');
    const machine = await MemoryMachine.ofPart(fleet, id);
    await machine.start();
    // The service records a machine's contact at most every ten seconds.
    fleet.clock.advance(11_000);
    const read = async (part: PartId): Promise<PartContact> => ({
      ...(await stores.parts.readContact(part)),
      restart: undefined,
    });
    const { seen, tracks } = await follow([id], [() => machine.checkNeedsRestart()], read);
    assert.deepEqual(seen, ['marked', 'called']);
    assert.equal(tracks[0]?.end, 'done');
  });

  it('ends when the part is deleted, and when the user cancels', async () => {
    const [deleted, id] = [await newPart('rover'), await newPart('spare')];
    await (await MemoryMachine.ofPart(fleet, id)).start();
    await stores.parts.markForRestart(id);
    const leaving = new AbortController();
    const read = (part: PartId): Promise<PartContact> =>
      part === deleted
        ? Promise.reject(new FleetError('notFound', 'gone'))
        : stores.parts.readContact(part);
    const { tracks } = await follow([deleted, id], [() => leaving.abort()], read, leaving.signal);
    assert.deepEqual(
      tracks.map(({ end }) => end),
      ['gone', 'stopped'],
    );
  });
});
