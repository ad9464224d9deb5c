import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { connectionId, organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import { resolveSubmitTarget } from '../../src/host/features/trainingSubmit/submitTarget';
import { onlyOrganization } from '../../src/host/platform/prompts/onlyOrganization';
import { keyWithRoles } from '../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

const PICKED: OrganizationTarget = {
  kind: 'organization',
  connectionId: connectionId('c'),
  name: 'Picked',
  organizationId: organizationId('picked'),
};

describe('the organization of training jobs', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let promptCount: number;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    promptCount = 0;
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const tools = () => ({
    sessions,
    pickTarget: () => {
      promptCount += 1;
      return Promise.resolve(PICKED as never);
    },
  });

  it('is selected without a prompt if there is only one', async () => {
    const target = await onlyOrganization(tools());
    assert.equal(target.organizationId, fleet.organizationId);
    assert.equal(promptCount, 0);
  });

  it('is prompted for if there are several', async () => {
    await sessions.stores().organizations.create('Second');
    assert.equal(await onlyOrganization(tools()), PICKED);
    assert.equal(promptCount, 1);
  });

  it('is the one that was clicked, even if there are several', async () => {
    await sessions.stores().organizations.create('Second');
    const own = organizationId(fleet.organizationId);
    const { target } = await resolveSubmitTarget(tools(), { organizationId: own });
    assert.equal(target.organizationId, own);
    assert.equal(promptCount, 0);
  });

  it('requires a connection', async () => {
    sessions.activate(false);
    await assert.rejects(
      onlyOrganization(tools()),
      (error) => error instanceof FleetError && error.kind === 'unauthenticated',
    );
  });

  it('is rejected for a key that is not an owner with an error about training jobs', async () => {
    const own = fleet.organizationId;
    const limited = new TestSessions(await keyWithRoles(fleet, ['operator', 'organization', own]));
    const resolution = resolveSubmitTarget({ ...tools(), sessions: limited }, {});
    await assert.rejects(
      resolution,
      /permission to view or edit training jobs in "My Fleet"\. .*owner/i,
    );
    limited.dispose();
  });
});
