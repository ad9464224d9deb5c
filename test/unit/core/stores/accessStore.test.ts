import assert from 'node:assert/strict';
import { Code, ConnectError, createRouterTransport, type Transport } from '@connectrpc/connect';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { connectedTransport } from '../../../support/connectedTransport';
import { organizationId } from '../../../../src/core/model/ids';
import {
  EVERYTHING,
  hasRight,
  type RoleScope,
  getRights,
} from '../../../../src/core/model/permissions';
import { AccessStore } from '../../../../src/core/stores/accessStore';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { keyWithRoles } from '../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const OF_OWNERS = ['administer', 'control', 'readData', 'readSecrets', 'writeData'];

describe('AccessStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  const opened: TestSessions[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = open(fleet);
    stores = sessions.stores();
  });

  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    await fleet.close();
  });

  function open(seen: MemoryFleet): TestSessions {
    const made = new TestSessions(seen);
    opened.push(made);
    return made;
  }

  const organization = (): RoleScope => ({ type: 'organization', id: fleet.organizationId });
  const countChecks = (): number => fleet.calls.get('CheckPermissions') ?? 0;

  async function plantWithMachine() {
    const plant = await stores.locations.create(
      organizationId(fleet.organizationId),
      'Plant',
      undefined,
    );
    return { plant: plant.id, machine: await stores.machines.create(plant.id, 'arm') };
  }

  it('requests permissions of an owner once, and never for descendants', async () => {
    const { plant, machine } = await plantWithMachine();
    const [granted = EVERYTHING] = await stores.access.getPermissions([organization()]);
    assert.deepEqual(getRights('organization', granted), OF_OWNERS);
    const inside: readonly RoleScope[] = [
      { type: 'location', id: plant },
      { type: 'robot', id: machine },
    ];
    await stores.access.getPermissionsInside(organization(), granted, inside);
    const again = await stores.access.getPermissions([organization(), ...inside]);
    assert.ok(again.every((one) => hasRight('machine', one, 'administer')));
    assert.equal(countChecks(), 1);
  });

  it('requests many permissions in one call, and only unknown ones', async () => {
    const { plant, machine } = await plantWithMachine();
    const limited = open(await keyWithRoles(fleet, ['owner', 'location', plant]));
    const { access } = limited.stores();
    const [onOrganization, onPlant] = await access.getPermissions([
      organization(),
      { type: 'location', id: plant },
    ]);
    assert.ok(onOrganization && onPlant);
    assert.deepEqual(getRights('organization', onOrganization), []);
    assert.deepEqual(getRights('location', onPlant), OF_OWNERS);
    assert.equal(countChecks(), 1);
    await access.getPermissionsInside(organization(), onOrganization, [
      { type: 'location', id: plant },
      { type: 'robot', id: machine },
    ]);
    assert.equal(countChecks(), 2);
  });

  it('joins a pending request', async () => {
    await Promise.all([
      stores.access.getPermissions([organization()]),
      stores.access.getPermissions([organization()]),
    ]);
    assert.equal(countChecks(), 1);
  });

  it('distinguishes an operator from an owner', async () => {
    const { plant, machine } = await plantWithMachine();
    const limited = open(
      await keyWithRoles(fleet, ['operator', 'organization', fleet.organizationId]),
    );
    const scopes: readonly RoleScope[] = [
      organization(),
      { type: 'location', id: plant },
      { type: 'robot', id: machine },
    ];
    for (const granted of await limited.stores().access.getPermissions(scopes)) {
      assert.deepEqual(getRights('machine', granted), ['control', 'readData', 'readLogs']);
    }
  });

  it('requests permissions again after a refresh, and of descendants after a move', async () => {
    const { plant } = await plantWithMachine();
    const scope: RoleScope = { type: 'location', id: plant };
    await stores.access.getPermissions([organization(), scope]);
    await stores.locations.create(organizationId(fleet.organizationId), 'Annex', undefined);
    await stores.access.getPermissions([organization()]);
    assert.equal(countChecks(), 1);
    await stores.access.getPermissions([scope]);
    assert.equal(countChecks(), 2);
    stores.refresh();
    await stores.access.getPermissions([organization()]);
    assert.equal(countChecks(), 3);
  });

  it('reports changed roles', () => {
    let changeCount = 0;
    stores.access.onDidChange(() => (changeCount += 1));
    stores.access.refresh();
    assert.equal(changeCount, 1);
  });

  it('grants everything while the service cannot respond, and retries after a failure', async () => {
    for (const [code, calls] of [
      [Code.Unimplemented, 1],
      [Code.Unavailable, 2],
    ] as const) {
      let count = 0;
      const access = new AccessStore(
        clientsOver(
          failing(() => {
            count += 1;
            return code;
          }),
        ),
      );
      for (let time = 0; time < 2; time += 1) {
        const [granted] = await access.getPermissions([organization()]);
        assert.ok(granted && hasRight('organization', granted, 'administer'));
      }
      assert.equal(count, calls);
      access.dispose();
    }
  });

  function failing(code: () => Code): Transport {
    const router = createRouterTransport(({ service }) => {
      service(AppService, {
        checkPermissions: () => {
          throw new ConnectError('no', code());
        },
      });
    });
    return connectedTransport(router);
  }
});
