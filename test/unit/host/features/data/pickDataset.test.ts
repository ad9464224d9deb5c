import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { everyCapture } from '../../../../../src/core/model/captureFilter';
import { organizationId } from '../../../../../src/core/model/ids';
import { pickDataset } from '../../../../../src/host/features/data/actions/itemActions';
import { ScriptedPrompts } from '../../../../host/support/scriptedPrompts';
import { openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('pickDataset', () => {
  it('offers datasets of other clients, even if the list was loaded before', async () => {
    const fleet = await openMemoryFleet();
    const [sessions, others] = [new TestSessions(fleet), new TestSessions(fleet)];
    try {
      using prompts = new ScriptedPrompts();
      const organization = organizationId(fleet.organizationId);
      const stores = sessions.stores();
      await stores.datasets.list(organization);
      const id = await others.stores().datasets.create(organization, 'pallets');
      const changed: unknown[] = [];
      stores.datasets.onDidChange(({ parents }) => changed.push(...parents));
      const filter = { ...everyCapture, organizationIds: [organization] };
      const picking = pickDataset(
        stores,
        { kind: 'filter', filter, count: 1 },
        { title: 'Add', canBeNew: true },
      );
      await prompts.pick('Add', 'pallets');
      assert.equal((await picking).id, id);
      // The tree shows the new dataset too.
      assert.deepEqual(changed, [organization]);
    } finally {
      sessions.dispose();
      others.dispose();
      await fleet.close();
    }
  });
});
