import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { type OrganizationId, organizationId } from '../../../src/core/model/ids';
import type { FleetStores } from '../../../src/core/stores/fleetStores';
import { agentSession, connectClient } from '../../support/agentSession';
import { type MemoryFleet, openMemoryFleet } from '../../support/memoryFleet';
import { TestSessions } from '../../support/testSessions';

/** An agent's server runs for hours, while people change the fleet with other clients. */
describe('answers for agents after changes by another client', () => {
  let fleet: MemoryFleet;
  let own: TestSessions;
  let other: TestSessions;
  let stores: FleetStores;
  let client: Client;
  let organization: OrganizationId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    own = new TestSessions(fleet);
    other = new TestSessions(fleet);
    stores = other.stores();
    organization = organizationId(fleet.organizationId);
    client = await connectClient(agentSession(own.stores(), fleet.clock));
  });

  afterEach(async () => {
    await client.close();
    own.dispose();
    other.dispose();
    await fleet.close();
  });

  async function read(name: string, input: object = {}): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const text = JSON.stringify(content);
    assert.ok(!isError, text);
    return text;
  }

  it('contain the new resources in every list', async () => {
    const lists = [
      ['fleetwright_list_organizations', 'Second'],
      ['fleetwright_list_locations', 'Hall'],
      ['fleetwright_list_machines', 'Rover'],
      ['fleetwright_list_fragments', 'Camera'],
      ['fleetwright_list_datasets', 'Cups'],
      ['fleetwright_find_resources', 'sonar'],
    ] as const;
    const toInput = (tool: string) => {
      if (tool === 'fleetwright_find_resources') return { query: 'sonar' };
      return tool === 'fleetwright_list_organizations' ? {} : { organizationId: organization };
    };
    for (const [tool, name] of lists) {
      assert.ok(!(await read(tool, toInput(tool))).includes(`"${name}`), tool);
    }
    const location = await stores.locations.create(organization, 'Hall', undefined);
    await stores.machines.create(location.id, 'Rover');
    await stores.fragments.create(organization, 'Camera', '{}');
    await stores.datasets.create(organization, 'Cups');
    await stores.registry.createModule(organization, 'sonar');
    await stores.organizations.create('Second');
    for (const [tool, name] of lists) {
      assert.ok((await read(tool, toInput(tool))).includes(name), tool);
    }
  });

  it('find a new location, and the current permissions on it', async () => {
    await read('fleetwright_list_machines');
    const location = await stores.locations.create(organization, 'Hall', undefined);
    await stores.machines.create(location.id, 'Rover');
    const machines = await read('fleetwright_list_machines', { locationId: location.id });
    assert.match(machines, /Rover/);
    const input = { kind: 'location', resourceId: location.id };
    assert.match(await read('fleetwright_check_permissions', input), /Hall/);
  });

  it('report the service as unavailable instead of a cached list', async () => {
    await read('fleetwright_list_organizations');
    fleet.unsupported.add('ListOrganizations');
    const { isError } = await client.callTool({ name: 'fleetwright_list_organizations' });
    assert.ok(isError);
  });
});
