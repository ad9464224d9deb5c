import assert from 'node:assert/strict';
import { organizationId } from '../../../../../src/core/model/ids';
import { isDeployed } from '../../../../../src/core/modules/deploy/deployedResources';
import { deployModule } from '../../../../../src/core/modules/deploy/moduleUse';
import { openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('isDeployed', () => {
  it('detects that another user has changed the version of a module', async () => {
    const fleet = await openMemoryFleet();
    const [here, elsewhere] = [new TestSessions(fleet), new TestSessions(fleet)];
    const { locations, machines, parts } = here.stores();
    const plant = await locations.create(organizationId(fleet.organizationId), 'Plant', undefined);
    const machine = await machines.create(plant.id, 'arm');
    const [part] = await parts.list(machine);
    assert.ok(part);
    const { id, name } = part;
    const deploy = (version: string) => (text: string) =>
      deployModule(text, { ids: ['acme:sonar'], version, versions: ['1.0.0', '1.0.1'] });
    await parts.updateConfig(id, { name, configText: deploy('1.0.1')('{}') });
    const read = () => parts.get(id, { fresh: true });
    assert.equal(await isDeployed(read, deploy('1.0.1')), true);
    const { configText } = await parts.get(id);
    await elsewhere
      .stores()
      .parts.updateConfig(id, { name, configText: deploy('1.0.0')(configText) });
    assert.equal(deploy('1.0.1')((await parts.get(id)).configText), configText);
    assert.equal(await isDeployed(read, deploy('1.0.1')), false);
    here.dispose();
    elsewhere.dispose();
    await fleet.close();
  });
});
