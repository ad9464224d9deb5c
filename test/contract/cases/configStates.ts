import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import {
  APPLIED_REVISION_HEADER,
  CONFIG_STATE_HEADER,
  type ConfigState,
  parseConfigStates,
} from '../../../src/core/model/contractExtensions';
import { connectPart } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  type NewMachine,
  newOrganization,
} from '../fleetFixture';

/** Cases for the config of a part on its way from the service to the machine. */
export function configStateContract(fleet: FleetUnderTest): void {
  describe('config states', () => {
    const connectSoftware = ({ part }: NewMachine) => connectPart(fleet().deployment, part);

    const save = async ({ part }: NewMachine, config: JsonObject): Promise<void> => {
      const { id, name } = part;
      await fleet().owner.updateRobotPart({ id, name, robotConfigJson: JSON.stringify(config) });
    };

    const readState = async ({ part }: NewMachine): Promise<ConfigState> => {
      let text: string | null = null;
      const onHeader = (headers: Headers): void => {
        text = headers.get(CONFIG_STATE_HEADER);
      };
      await fleet().owner.getRobotPart({ id: part.id }, { onHeader });
      const state = parseConfigStates(text).get(part.id);
      assert.ok(state, `no state in ${String(text)}`);
      return state;
    };

    it('report a config from its save until the machine runs it', async () => {
      const { owner, clock } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = machine.part;
      const software = await connectSoftware(machine);
      const untouched = await readState(machine);
      assert.equal(untouched.fetched, undefined);
      assert.equal(untouched.applied, undefined);

      const first = (await software.config({ id })).config?.revision ?? '';
      const fetched = await readState(machine);
      assert.equal(fetched.fetched?.revision, first);
      assert.equal(fetched.fetched.isCurrent, true);
      assert.equal(fetched.fetched.intervalMs, undefined);
      assert.equal(fetched.applied, undefined);

      await software.needsRestart({ id }, { headers: { [APPLIED_REVISION_HEADER]: first } });
      assert.equal((await readState(machine)).applied?.revision, first);

      await save(machine, { components: [] });
      const saved = await readState(machine);
      assert.notEqual(saved.saved, untouched.saved);
      assert.equal(saved.fetched?.isCurrent, false);
      assert.equal(saved.applied?.revision, first);

      clock.advance(10_000);
      const second = (await software.config({ id })).config?.revision ?? '';
      const again = await readState(machine);
      assert.notEqual(second, first);
      assert.equal(again.fetched?.revision, second);
      assert.equal(again.fetched.isCurrent, true);
      // The service's time runs ahead of the clock by a microsecond for each value that it returned.
      const seconds = Math.round((again.fetched.intervalMs ?? 0) / 1000);
      assert.equal(seconds, 10);
      assert.equal(again.applied?.revision, first);
      await software.needsRestart({ id }, { headers: { [APPLIED_REVISION_HEADER]: second } });
      assert.equal((await readState(machine)).applied?.revision, second);
    });

    it('of all parts of a machine are returned with the list of parts', async () => {
      const { owner } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      const { partId } = await owner.newRobotPart({
        robotId: machine.machineId,
        partName: 'gripper',
      });
      await (await connectSoftware(machine)).config({ id: machine.part.id });
      let text: string | null = null;
      const onHeader = (headers: Headers): void => {
        text = headers.get(CONFIG_STATE_HEADER);
      };
      await owner.getRobotParts({ robotId: machine.machineId }, { onHeader });
      const states = parseConfigStates(text);
      assert.equal(states.get(machine.part.id)?.fetched?.isCurrent, true);
      assert.equal(states.get(partId)?.fetched, undefined);
    });

    it('are outdated after a fragment of the config was saved, unless its revision is pinned', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const inner = await owner.createFragment({ name: 'inner', organizationId, config: {} });
      const id = inner.fragment?.id ?? '';
      const revision = inner.fragment?.revision ?? '';
      const outer = await owner.createFragment({
        name: 'outer',
        organizationId,
        config: { fragments: [{ id }] },
      });
      const following = await newMachine(owner, organizationId, 'following');
      const pinned = await newMachine(owner, organizationId, 'pinned');
      await save(following, { fragments: [{ id: outer.fragment?.id ?? '' }] });
      await save(pinned, { fragments: [{ id, version: revision }] });
      for (const machine of [following, pinned]) {
        await (await connectSoftware(machine)).config({ id: machine.part.id });
        assert.equal((await readState(machine)).fetched?.isCurrent, true);
      }
      const before = (await readState(following)).fetched?.revision;

      await owner.updateFragment({ id, name: 'inner', config: { components: [] } });
      assert.equal((await readState(following)).fetched?.isCurrent, false);
      assert.equal((await readState(pinned)).fetched?.isCurrent, true);

      const software = await connectSoftware(following);
      const { config } = await software.config({ id: following.part.id });
      assert.notEqual(config?.revision, before);
      assert.equal((await readState(following)).fetched?.isCurrent, true);
    });

    it('reject revisions that a header cannot contain', async () => {
      const { owner } = fleet();
      const machine = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = machine.part;
      const software = await connectSoftware(machine);
      await software.config({ id });
      for (const revision of ['1,2', '1 2', '-', 'x'.repeat(129)]) {
        const headers = { [APPLIED_REVISION_HEADER]: revision };
        await assertRejected(software.needsRestart({ id }, { headers }), Code.InvalidArgument);
      }
      assert.equal((await readState(machine)).applied, undefined);
    });
  });
}
