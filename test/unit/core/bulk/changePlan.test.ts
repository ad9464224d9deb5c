import assert from 'node:assert/strict';
import { runBulk } from '../../../../src/core/bulk/bulkRun';
import { applyPlanned, type ConfigChange, planChanges } from '../../../../src/core/bulk/changePlan';
import { listMachineParts, machinesIn } from '../../../../src/core/stores/findMachines';
import { organizationId, partId } from '../../../../src/core/model/ids';
import type { OrganizationTarget } from '../../../../src/core/model/resourceTarget';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const UNKNOWN_ID = '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a';

const change: ConfigChange = {
  kind: 'mergePatch',
  patch: '{"log":[{"pattern":"*","level":"debug"}]}',
};

describe('a bulk change over the fleet service', () => {
  const options = { limit: 4, signal: new AbortController().signal };
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let organization: OrganizationTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const id = organizationId(fleet.organizationId);
    organization = {
      kind: 'organization',
      connectionId: sessions.connectionToFleet.id,
      organizationId: id,
      name: 'My Fleet',
    };
    const plant = await stores.locations.create(id, 'Plant', undefined);
    const line = await stores.locations.create(id, 'Line 1', plant.id);
    for (const name of ['arm-10', 'arm-2']) await stores.machines.create(line.id, name);
    await stores.machines.create(plant.id, 'agv-1');
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function parts() {
    const machines = await machinesIn(stores, organization, options.signal);
    return listMachineParts(stores, machines, options.signal);
  }

  it('finds the machines of an organization and of a location with their paths', async () => {
    const machines = await machinesIn(stores, organization, options.signal);
    assert.deepEqual(
      machines.map(({ target, path }) => [...path, target.name].join(' › ')),
      [
        'My Fleet › Plant › agv-1',
        'My Fleet › Plant › Line 1 › arm-2',
        'My Fleet › Plant › Line 1 › arm-10',
      ],
    );
    const [, arm] = machines;
    assert.ok(arm);
    const line = { ...arm.target, kind: 'location' as const };
    assert.equal((await machinesIn(stores, line, options.signal)).length, 2);
    assert.deepEqual(
      (await parts()).map(({ target, main }) => `${target.machineName}/${target.name} ${main}`),
      ['agv-1/agv-1-main true', 'arm-2/arm-2-main true', 'arm-10/arm-10-main true'],
    );
  });

  it('finds machines of a shared location only through that location', async () => {
    const other = await stores.organizations.create('Partner');
    const yard = await stores.locations.create(other.id, 'Yard', undefined);
    await stores.machines.create(yard.id, 'crane');
    await stores.locations.share(yard, organization.organizationId);
    assert.equal((await machinesIn(stores, organization, options.signal)).length, 3);
    const shared = { ...organization, kind: 'location' as const, locationId: yard.id };
    const [crane] = await machinesIn(stores, shared, options.signal);
    assert.deepEqual(crane?.path, ['Partner', 'Yard']);
  });

  it('excludes parts that already match, and reports those that cannot be changed', async () => {
    const [first, second, third] = await parts();
    assert.ok(first && second && third);
    const name = first.target.name;
    await stores.parts.updateConfig(first.target.partId, {
      name,
      configText: '{"log":[{"pattern":"*","level":"debug"}]}',
    });
    const gone = { ...third, target: { ...third.target, partId: partId(UNKNOWN_ID) } };
    const plan = await planChanges(stores, [first, second, gone], change, options);
    assert.deepEqual(
      plan.unchanged.map(({ target }) => target.name),
      [name],
    );
    assert.deepEqual(
      plan.changes.map(({ part }) => part),
      [second],
    );
    assert.deepEqual(
      plan.failed.map(({ item, error }) => [item, error.kind]),
      [[gone, 'notFound']],
    );
  });

  it('adds no module that a fragment includes or that the part cannot run', async () => {
    const [first, second] = await parts();
    assert.ok(first && second);
    const sonar = { type: 'registry', name: 's', module_id: 'acme:sonar', version: '1.0.0' };
    const { id } = await stores.fragments.create(
      organization.organizationId,
      'sonars',
      JSON.stringify({ modules: [sonar] }),
    );
    await stores.parts.updateConfig(first.target.partId, {
      name: first.target.name,
      configText: JSON.stringify({ fragments: [{ id }] }),
    });
    const deployment = { version: '1.0.1', versions: ['1.0.0', '1.0.1'] };
    const deploy = {
      kind: 'deployModule' as const,
      deployment: { ids: ['acme:sonar'] as const, ...deployment },
    };
    const plan = await planChanges(stores, [first, second], deploy, options);
    assert.deepEqual(
      plan.changes.map(({ part }) => part),
      [second],
    );
    const [failed] = plan.failed;
    assert.equal(failed?.item, first);
    assert.match(failed.error.message, /Fragment "sonars" provides this module/);
    const foreign = { ...deploy, privateTo: organizationId(UNKNOWN_ID) };
    const other = await planChanges(stores, [second], foreign, options);
    assert.deepEqual(
      [other.changes, other.failed.map(({ error }) => error.kind)],
      [[], ['invalid']],
    );
  });

  it('writes the plan, and rejects the part that changed since', async () => {
    const plan = await planChanges(stores, await parts(), change, options);
    const changedPart = plan.changes[1]?.part.target;
    assert.ok(changedPart);
    fleet.clock.advance(1_000);
    await stores.parts.updateConfig(changedPart.partId, {
      name: changedPart.name,
      configText: '{"network":{}}',
    });
    const outcomes = await runBulk(
      plan.changes,
      (planned) => applyPlanned(stores.parts, planned),
      options,
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.state === 'failed' ? outcome.error.kind : outcome.state)),
      ['done', 'conflict', 'done'],
    );
    const configs = await Promise.all(
      plan.changes.map(async ({ part }) => (await stores.parts.get(part.target.partId)).configText),
    );
    assert.deepEqual(configs, [plan.changes[0]?.after, '{"network":{}}', plan.changes[2]?.after]);
  });

  it('applyPlanned sends nothing when the config has changed since the plan', async () => {
    const plan = await planChanges(stores, await parts(), change, options);
    const [planned] = plan.changes;
    assert.ok(planned);
    const { partId, name } = planned.part.target;
    await stores.parts.updateConfig(partId, { name, configText: '{"network":{}}' });
    fleet.calls.clear();
    await assert.rejects(applyPlanned(stores.parts, planned), { kind: 'conflict' });
    assert.equal(fleet.calls.get('UpdateRobotPart'), undefined);
  });

  it('applyPlanned preserves the name that another user has set', async () => {
    const plan = await planChanges(stores, await parts(), change, options);
    const [planned] = plan.changes;
    assert.ok(planned);
    const { partId } = planned.part.target;
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().parts.rename(partId, 'gripper');
    elsewhere.dispose();
    await applyPlanned(stores.parts, planned);
    const { name, configText } = await stores.parts.get(partId, { fresh: true });
    assert.deepEqual([name, configText], ['gripper', planned.after]);
  });

  it('returns no partial plan', async () => {
    const controller = new AbortController();
    const all = await parts();
    controller.abort();
    await assert.rejects(planChanges(stores, all, change, { limit: 1, signal: controller.signal }));
  });
});
