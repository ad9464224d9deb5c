import assert from 'node:assert/strict';
import { isCanceled } from '../../src/core/api/errors';
import { organizationId } from '../../src/core/model/ids';
import { registryItemTarget, type RegistryItemTarget } from '../../src/core/model/resourceTarget';
import { deleteItem } from '../../src/host/features/registry/deleteItem';
import { deleteVersion } from '../../src/host/features/registry/deleteVersion';
import type { FleetTools } from '../../src/host/platform/fleetTools';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { ScriptedPrompts } from './support/scriptedPrompts';

const failIfCalled = (): never => assert.fail('not expected here');

describe('deleting a registry item in an extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let target: RegistryItemTarget;
  let tools: FleetTools;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const owner = organizationId(fleet.organizationId);
    const { registry } = sessions.stores();
    const { id } = await registry.createModule(owner, 'arm');
    for (const version of ['1.0.0', '1.1.0']) {
      const read = async function* (): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(new Uint8Array(10));
      };
      await registry.uploadModule({
        id,
        organizationId: owner,
        version,
        platform: 'linux/amd64',
        read,
      });
    }
    target = registryItemTarget(sessions.connectionToFleet.id, await registry.get(id));
    tools = {
      sessions,
      pickTarget: failIfCalled,
      reveal: failIfCalled,
      commands: { register: failIfCalled, execute: failIfCalled },
    };
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function useArm(version: string): Promise<void> {
    const { locations, machines, parts } = sessions.stores();
    const location = await locations.create(
      organizationId(fleet.organizationId),
      'Yard',
      undefined,
    );
    const [part] = await parts.list(await machines.create(location.id, 'rover'));
    assert.ok(part);
    const module = { type: 'registry', name: 'arm', module_id: target.itemId, version };
    const configText = JSON.stringify({ modules: [module] });
    await parts.updateConfig(part.id, { name: part.name, configText });
  }

  const exists = async (): Promise<number> =>
    (await sessions.stores().registry.get(target.itemId, { fresh: true })).versions.length;

  it('names its users instead of prompting for its name', async () => {
    await useArm('1.0.0');
    using prompts = new ScriptedPrompts();
    const deleting = deleteItem(tools, target).catch((error: unknown) => error);
    const dialog = await prompts.next('"arm" is in use and can\'t be deleted.');
    assert.match(dialog.text(), /Machine "rover"\nRemove it from these configs first\./);
    dialog.leave();
    assert.ok(isCanceled(await deleting));
    assert.equal(await exists(), 2);
  });

  it('names the users of a version, and deletes another one after the user types it', async () => {
    await useArm('1.0.0');
    using prompts = new ScriptedPrompts();
    const first = deleteVersion(tools, target, '1.0.0').catch((error: unknown) => error);
    const dialog = await prompts.next('Version 1.0.0 of "arm" is in use and can\'t be deleted.');
    assert.match(dialog.text(), /Machine "rover"/);
    dialog.leave();
    assert.ok(isCanceled(await first));
    const second = deleteVersion(tools, target, '1.1.0');
    await prompts.enterText('Delete Registry Version', '1.1.0');
    await second;
    assert.equal(await exists(), 1);
  });

  it('prompts for the name if nothing uses it', async () => {
    using prompts = new ScriptedPrompts();
    const deleting = deleteItem(tools, target);
    await prompts.enterText('Delete Module', 'arm');
    await deleting;
    await assert.rejects(exists(), { kind: 'notFound' });
  });
});
