import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Code } from '@connectrpc/connect';
import { TestClock } from '../support/testClock';
import { type Deployment, signInAsOwner, startHttpDeployment } from './deployment';
import { assertRejected, newMachine, newOrganization } from './fleetFixture';

const OLD_NAME = 'old\u001b\u202ename';

describe('names from before the naming rules', () => {
  let folder: string;
  let deployment: Deployment;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    deployment = await startHttpDeployment(new TestClock(), 'gRPC', {
      dataDir: folder,
    });
  });
  afterEach(async () => {
    await deployment.stop();
    await rm(folder, { recursive: true });
  });

  function rename(table: string, id: string): void {
    using database = new DatabaseSync(join(folder, 'fleet.db'));
    database.prepare(`update ${table} set name = ? where id = ?`).run(OLD_NAME, id);
  }

  it('are readable, and do not prevent other changes', async () => {
    const owner = await signInAsOwner(deployment);
    const organizationId = (await newOrganization(owner)).id;
    const { locationId, machineId, part } = await newMachine(owner, organizationId);
    const { fragment } = await owner.createFragment({ organizationId, name: 'base' });
    const id = fragment?.id ?? '';
    rename('organizations', organizationId);
    rename('locations', locationId);
    rename('machines', machineId);
    rename('parts', part.id);
    rename('fragments', id);

    const name = OLD_NAME;
    const { organization } = await owner.updateOrganization({ organizationId, name, region: 'eu' });
    assert.deepEqual([organization?.name, organization?.defaultRegion], [name, 'eu']);
    const { location } = await owner.updateLocation({ locationId, name, region: 'eu' });
    assert.equal(location?.name, name);
    const { robot } = await owner.updateRobot({ id: machineId, name, location: locationId });
    assert.equal(robot?.name, name);
    const updated = await owner.updateRobotPart({
      id: part.id,
      name,
      robotConfigJson: '{"components":[]}',
    });
    assert.deepEqual(
      [updated.part?.name, updated.part?.robotConfigJson],
      [name, '{"components":[]}'],
    );
    const changed = await owner.updateFragment({ id, name, config: { components: [] } });
    assert.equal(changed.fragment?.name, name);
    await assertRejected(
      owner.updateRobotPart({ id: part.id, name: `${name} 2` }),
      Code.InvalidArgument,
      /^name: must not contain the character U\+001B/,
    );
  });
});
