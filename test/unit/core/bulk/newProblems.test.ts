import assert from 'node:assert/strict';
import { type ConfigChange, planChanges } from '../../../../src/core/bulk/changePlan';
import { findNewProblems, type NewProblems } from '../../../../src/core/bulk/newProblems';
import { organizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import {
  listMachineParts,
  machinesIn,
  type PartWithPath,
} from '../../../../src/core/stores/findMachines';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const UNKNOWN_ID = '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a';

const ARM = { name: 'arm', api: 'rdk:component:arm', model: 'fake' };
const GRIPPER = { name: 'gripper', api: 'rdk:component:gripper', model: 'fake' };

describe('findNewProblems, over the fleet service', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let parts: readonly PartWithPath[];
  const { signal } = new AbortController();
  const options = { limit: 4, signal };

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    for (const name of ['arm-1', 'arm-2', 'arm-3']) await stores.machines.create(plant.id, name);
    const target = {
      kind: 'organization' as const,
      connectionId: sessions.connectionToFleet.id,
      organizationId: organization,
      name: 'My Fleet',
    };
    parts = await listMachineParts(stores, await machinesIn(stores, target, signal), signal);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function setConfig(index: number, config: object): Promise<void> {
    const { partId, name } = (parts[index] ?? assert.fail()).target;
    await stores.parts.updateConfig(partId, { name, configText: JSON.stringify(config) });
  }

  /** Returns the names of the machines with new problems, and the descriptions of the problems. */
  async function findProblems(
    patch: object,
  ): Promise<{ readonly byMachine: object; readonly all: readonly NewProblems[] }> {
    const change: ConfigChange = { kind: 'mergePatch', patch: JSON.stringify(patch) };
    const { changes } = await planChanges(stores, parts, change, options);
    const found = await findNewProblems(stores, changes, { signal });
    const described = [...found].map(([{ part }, { listed }]) => [
      part.target.machineName,
      listed.map(({ code, message }) => code ?? message),
    ]);
    return { byMachine: Object.fromEntries(described) as object, all: [...found.values()] };
  }

  it('finds the problems that each machine does not have before the change', async () => {
    const job = { name: 'close', resource: 'gripper', method: 'Grab', schedule: '5s' };
    await setConfig(0, { components: [ARM, GRIPPER], jobs: [job] });
    await setConfig(1, { components: [ARM] });
    await setConfig(2, { components: [ARM], jobs: [job] });
    // The job of the third machine has no resource before the change, either.
    const { byMachine, all } = await findProblems({ components: [ARM], log: [] });
    assert.deepEqual(byMachine, { 'arm-1': ['unknownResource'] });
    assert.deepEqual(
      all.map(({ count, errorCount }) => [count, errorCount]),
      [[1, 0]],
    );
  });

  it('marks the problem in the text of the preview', async () => {
    await setConfig(0, { components: [ARM] });
    const change: ConfigChange = { kind: 'mergePatch', patch: '{"jobs": [{"name": "a b"}]}' };
    const { changes } = await planChanges(stores, parts.slice(0, 1), change, options);
    const [[, { listed, text }] = assert.fail()] = await findNewProblems(stores, changes, {
      signal,
    });
    const marked = listed.map(({ offset, length }) => text.slice(offset, offset + length));
    assert.match(text, /\n/);
    assert.deepEqual([...new Set(marked)], ['"a b"']);
  });

  it('resolves fragments, and reads each fragment and module once for all machines', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.fragments.create(
      organization,
      'arms',
      JSON.stringify({ components: [ARM] }),
    );
    for (const index of [0, 1, 2]) {
      await setConfig(index, { fragments: [{ id }], log: [{ pattern: String(index) }] });
    }
    const jobs = [{ name: 'wave', resource: 'arm', method: 'Stop', schedule: '5s' }];
    const change: ConfigChange = { kind: 'mergePatch', patch: JSON.stringify({ jobs }) };
    const elsewhere = new TestSessions(fleet);
    const { changes } = await planChanges(elsewhere.stores(), parts, change, options);
    fleet.calls.clear();
    assert.deepEqual(await findNewProblems(elsewhere.stores(), changes, { signal }), new Map());
    assert.deepEqual([...fleet.calls], [['GetFragment', 1]]);
    elsewhere.dispose();
    const modules = [{ type: 'registry', name: 'm', module_id: 'acme:none', version: 'latest' }];
    const { byMachine } = await findProblems({ modules });
    const codes = ['unknownModule'];
    assert.deepEqual(byMachine, { 'arm-1': codes, 'arm-2': codes, 'arm-3': codes });
    assert.equal(fleet.calls.get('GetRegistryItem'), 1);
  });

  it('reports values of the wrong type', async () => {
    await setConfig(0, { components: [ARM], log: [{ pattern: 5, level: 'debug' }] });
    // The value of the first machine has the wrong type before the change, too.
    const { byMachine } = await findProblems({ log: [{ pattern: 5, level: 'info' }] });
    assert.deepEqual(byMachine, { 'arm-2': ['wrongType'], 'arm-3': ['wrongType'] });
  });

  it('reports problems with fragments', async () => {
    const { byMachine } = await findProblems({ fragments: [UNKNOWN_ID] });
    const problems = [
      `Fragment ${UNKNOWN_ID} doesn't exist, or you don't have permission to read it. Check its ID.`,
    ];
    assert.deepEqual(byMachine, { 'arm-1': problems, 'arm-2': problems, 'arm-3': problems });
  });

  it('counts a structure and a fragment that the service rejects as errors', async () => {
    await setConfig(0, { components: [ARM] });
    for (const [patch, message] of [
      [{ jobs: 'x' }, '"jobs" must be a list, enclosed in [ and ].'],
      [{ fragments: [5] }, 'A fragment must be an ID or an object with an "id".'],
    ] as const) {
      const { all } = await findProblems(patch);
      assert.deepEqual(
        all.map(({ count, errorCount, listed }) => [count, errorCount, listed[0]?.message]),
        Array.from({ length: 3 }, () => [1, 1, message]),
      );
    }
  });

  it('counts a malformed fragment with other problems once, at its own severity', async () => {
    const { all } = await findProblems({ fragments: [5, UNKNOWN_ID] });
    assert.deepEqual(
      all.map(({ listed }) => listed.map(({ severity }) => severity)),
      Array.from({ length: 3 }, () => ['error', 'warning']),
    );
  });

  it('counts all problems of a machine but lists only the first ones', async () => {
    const components = Array.from({ length: 80 }, (_, index) => ({ ...ARM, name: `a b${index}` }));
    const { all } = await findProblems({ components });
    assert.deepEqual(
      all.map(({ count, listed }) => [count, listed.length]),
      [
        [80, 50],
        [80, 50],
        [80, 50],
      ],
    );
  });

  it('stops when it is canceled', async () => {
    const change: ConfigChange = { kind: 'mergePatch', patch: '{"log": []}' };
    const { changes } = await planChanges(stores, parts, change, options);
    const controller = new AbortController();
    const reported: number[] = [];
    const onProgress = (done: number): void => {
      reported.push(done);
      controller.abort();
    };
    const canceled = findNewProblems(stores, changes, { signal: controller.signal, onProgress });
    await assert.rejects(canceled, { name: 'AbortError' });
    assert.deepEqual(reported, [1]);
  });
});
