import assert from 'node:assert/strict';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { type MachineId, organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { MachineSummaryStore } from '../../../../src/core/stores/machineSummaryStore';
import type {
  MachineSummary,
  SummarizedMachine,
} from '../../../../src/core/stores/requestSummaries';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { connectedTransport } from '../../../support/connectedTransport';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const MACHINES = 9;

describe('MachineSummaryStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let machines: readonly SummarizedMachine[];
  const read = new Map<MachineId, MachineSummary>();

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const { id: locationId } = await stores.locations.create(organization, 'Plant', undefined);
    const all: SummarizedMachine[] = [];
    for (let index = 0; index < MACHINES; index += 1) {
      all.push({ id: await stores.machines.create(locationId, `arm-${index}`), locationId });
    }
    machines = all;
    read.clear();
    fleet.calls.clear();
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  /** Reads summaries and returns the IDs of the machines that were left. */
  async function readLeft(
    requested = machines,
    store = stores.machineSummaries,
    { signal } = new AbortController(),
    fresh = false,
  ): Promise<readonly MachineId[]> {
    const left = await store.read(
      organizationId(fleet.organizationId),
      requested,
      (summaries) => summaries.forEach((summary, id) => read.set(id, summary)),
      { signal, fresh },
    );
    return left.map(({ id }) => id);
  }

  const toIds = (list: readonly SummarizedMachine[]) => list.map(({ id }) => id);

  /** Returns a store whose service rejects every call. */
  function failing(code: Code, calls: { count: number }): MachineSummaryStore {
    const router = createRouterTransport(({ service }) => {
      service(AppService, {
        listMachineSummaries: () => {
          calls.count += 1;
          throw new ConnectError('no', code);
        },
      });
    });
    return new MachineSummaryStore(clientsOver(connectedTransport(router)));
  }

  it('reads all machines with one call, and only once', async () => {
    for (let time = 0; time < 2; time += 1) {
      read.clear();
      assert.deepEqual(await readLeft(), []);
      assert.equal(read.size, MACHINES);
    }
    const [first] = machines;
    assert.deepEqual(
      read.get(first?.id ?? assert.fail())?.parts.map(({ name }) => name),
      ['arm-0-main'],
    );
    assert.deepEqual(Object.fromEntries(fleet.calls), { ListMachineSummaries: 1 });
  });

  it('reads cached machines again if the caller needs the current state', async () => {
    await readLeft();
    read.clear();
    assert.deepEqual(await readLeft(machines, stores.machineSummaries, undefined, true), []);
    assert.equal(read.size, MACHINES);
    assert.equal(fleet.calls.get('ListMachineSummaries'), 2);
  });

  it('excludes a few machines, which are read by individual calls', async () => {
    const few = machines.slice(1);
    assert.deepEqual(await readLeft(few), toIds(few));
    assert.equal(fleet.calls.size, 0);
  });

  it('removes a machine when one of its parts changes', async () => {
    await readLeft();
    const first = machines[0] ?? assert.fail();
    await stores.parts.create(first.id, 'camera');
    read.clear();
    assert.deepEqual(await readLeft(), [first.id]);
    assert.equal(read.size, MACHINES - 1);
  });

  it('excludes machines that the response does not contain', async () => {
    const first = machines[0] ?? assert.fail();
    await stores.machines.delete(first);
    assert.deepEqual(await readLeft(), [first.id]);
    assert.equal(read.size, MACHINES - 1);
  });

  it('calls a service without summaries only once, and again after a refresh', async () => {
    const calls = { count: 0 };
    const store = failing(Code.Unimplemented, calls);
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await readLeft(machines, store), toIds(machines));
    }
    assert.equal(calls.count, 1);
    store.clear();
    await readLeft(machines, store);
    assert.equal(calls.count, 2);
  });

  it('excludes machines that it cannot list without permission, and calls the service again', async () => {
    const calls = { count: 0 };
    const store = failing(Code.PermissionDenied, calls);
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await readLeft(machines, store), toIds(machines));
    }
    assert.equal(calls.count, 2);
  });

  it('throws if the service is unavailable', async () => {
    const store = failing(Code.Unavailable, { count: 0 });
    await assert.rejects(readLeft(machines, store), { kind: 'unavailable' });
  });

  it('stops when the caller cancels', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(readLeft(machines, stores.machineSummaries, controller));
  });

  it("doesn't cache a response that could be older than a change", async () => {
    const reading = readLeft();
    stores.machineSummaries.clearMachines([]);
    await reading;
    assert.equal(read.size, MACHINES);
    await readLeft();
    assert.equal(fleet.calls.get('ListMachineSummaries'), 2);
  });
});
