import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { type Client, Code, createClient } from '@connectrpc/connect';
import { APPLIED_REVISION_HEADER } from '../../../src/core/model/contractExtensions';
import {
  type ListFragmentRolloutResponse,
  RolloutService,
  RolloutState,
} from '../../../src/gen/fleetwright/rollout/v1/rollout_pb';
import { FragmentVisibility } from '../../../src/gen/viam/app/v1/fragment_pb';
import { OnlineState } from '../../../src/gen/viam/app/v1/machine_pb';
import { bearerTransport, connectPart, signInToken } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  type NewMachine,
  newOrganization,
} from '../fleetFixture';

type RolloutClient = Client<typeof RolloutService>;

/** Cases for the progress of a fragment's saved revision to the machines that use it. */
export function fragmentRolloutContract(fleet: FleetUnderTest): void {
  describe('fragment rollouts', () => {
    const signInWith = async (
      resourceType: 'organization' | 'location' | 'robot',
      ...resourceIds: string[]
    ): Promise<RolloutClient> => {
      const key = await fleet().owner.createKey({
        authorizations: resourceIds.map((resourceId) => ({
          authorizationType: 'role',
          authorizationId: `${resourceType}_operator`,
          resourceType,
          resourceId,
          identityType: 'api-key',
        })),
      });
      const token = await signInToken(fleet().deployment, key);
      return createClient(RolloutService, bearerTransport(fleet().deployment, token));
    };

    const connectSoftware = ({ part }: NewMachine) => connectPart(fleet().deployment, part);

    const fetchConfig = async (machine: NewMachine): Promise<string> => {
      const { config } = await (await connectSoftware(machine)).config({ id: machine.part.id });
      return config?.revision ?? assert.fail();
    };

    const apply = async (machine: NewMachine, revision: string): Promise<void> => {
      const headers = { [APPLIED_REVISION_HEADER]: revision };
      await (await connectSoftware(machine)).needsRestart({ id: machine.part.id }, { headers });
    };

    const save = async ({ part }: NewMachine, config: JsonObject): Promise<void> => {
      const { id, name } = part;
      await fleet().owner.updateRobotPart({ id, name, robotConfigJson: JSON.stringify(config) });
    };

    const newFragment = async (organizationId: string, fragments: JsonObject[] = []) => {
      const config = { fragments };
      const answer = await fleet().owner.createFragment({ name: 'drive', organizationId, config });
      return answer.fragment ?? assert.fail();
    };

    const newUser = async (organizationId: string, name: string, fragment: JsonObject) => {
      const machine = await newMachine(fleet().owner, organizationId, name);
      await save(machine, { fragments: [fragment] });
      return machine;
    };

    const edit = async (id: string, config: JsonObject = { components: [] }): Promise<void> => {
      await fleet().owner.updateFragment({ id, name: 'drive', config });
    };

    /** Returns the states by the name of the machine. */
    const toStates = ({ parts }: ListFragmentRolloutResponse): Record<string, string> =>
      Object.fromEntries(parts.map(({ machineName, state }) => [machineName, RolloutState[state]]));

    it('follow a revision from its save until the machine runs it', async () => {
      const { id: organizationId } = await newOrganization(fleet().owner);
      const { id: fragmentId } = await newFragment(organizationId);
      const machine = await newUser(organizationId, 'arm', { id: fragmentId });
      await newMachine(fleet().owner, organizationId, 'other');
      const app = await signInWith('organization', organizationId);
      const read = async () => {
        const answer = await app.listFragmentRollout({ organizationId, fragmentId });
        const [part, ...others] = answer.parts;
        assert.equal(others.length, 0);
        return { ...answer, part: part ?? assert.fail() };
      };
      const never = await read();
      assert.equal(never.part.state, RolloutState.UNKNOWN);
      assert.equal(never.part.fetchedRevision, '');
      assert.equal(never.part.fetchedAt, undefined);
      assert.equal(never.part.onlineState, OnlineState.AWAITING_SETUP);
      assert.equal(never.part.machineId, machine.machineId);
      assert.equal(never.part.locationId, machine.locationId);
      assert.equal(never.part.partId, machine.part.id);
      assert.equal(never.part.partName, machine.part.name);
      assert.equal(never.part.isMainPart, true);

      const first = await fetchConfig(machine);
      const silent = await read();
      assert.equal(silent.part.state, RolloutState.UNKNOWN);
      assert.equal(silent.part.fetchedRevision, silent.revision);
      assert.ok(silent.part.fetchedAt);
      assert.equal(silent.part.onlineState, OnlineState.ONLINE);
      await apply(machine, first);
      assert.equal((await read()).part.state, RolloutState.APPLIED);

      await edit(fragmentId);
      const saved = await read();
      assert.notEqual(saved.revision, silent.revision);
      assert.equal(saved.part.state, RolloutState.PENDING);
      assert.equal(saved.part.fetchedRevision, silent.revision);

      const second = await fetchConfig(machine);
      const fetched = await read();
      assert.equal(fetched.part.state, RolloutState.PENDING);
      assert.equal(fetched.part.fetchedRevision, fetched.revision);
      await apply(machine, second);
      const applied = await read();
      assert.equal(applied.part.state, RolloutState.APPLIED);
      assert.equal(applied.counts?.applied, 1);
      assert.equal(applied.counts.pending + applied.counts.pinned + applied.counts.unknown, 0);
    });

    it('include nested and pinned uses, and fragments that a machine is still running', async () => {
      const { id: organizationId } = await newOrganization(fleet().owner);
      const inner = await newFragment(organizationId);
      const fragmentId = inner.id;
      const outer = await newFragment(organizationId, [{ id: fragmentId }]);
      const nested = await newUser(organizationId, 'nested', { id: outer.id });
      const pin = { id: fragmentId, version: inner.revision };
      const pinned = await newUser(organizationId, 'pinned', pin);
      const removed = await newUser(organizationId, 'removed', { id: fragmentId });
      const added = await newUser(organizationId, 'added', { id: 'deleted' });
      for (const machine of [nested, pinned, removed, added]) {
        await apply(machine, await fetchConfig(machine));
      }
      await save(removed, {});
      await save(added, { fragments: [{ id: fragmentId }] });
      await edit(fragmentId);
      const app = await signInWith('organization', organizationId);
      const read = async () =>
        toStates(await app.listFragmentRollout({ organizationId, fragmentId }));
      assert.deepEqual(await read(), {
        nested: 'PENDING',
        pinned: 'PINNED',
        removed: 'PENDING',
        added: 'PENDING',
      });
      for (const machine of [nested, pinned, removed, added]) {
        await apply(machine, await fetchConfig(machine));
      }
      assert.deepEqual(await read(), { nested: 'APPLIED', pinned: 'PINNED', added: 'APPLIED' });
    });

    it('omit parts that use the fragment only in revisions of other fragments', async () => {
      const { id: organizationId } = await newOrganization(fleet().owner);
      const { id: fragmentId } = await newFragment(organizationId);
      const outer = await newFragment(organizationId);
      const pin = { id: outer.id, version: outer.revision };
      const machine = await newUser(organizationId, 'arm', pin);
      await edit(outer.id, { fragments: [{ id: fragmentId }] });
      const app = await signInWith('organization', organizationId);
      const read = async () =>
        toStates(await app.listFragmentRollout({ organizationId, fragmentId }));
      assert.deepEqual(await read(), { arm: 'UNKNOWN' });
      await fetchConfig(machine);
      assert.deepEqual(await read(), {});
    });

    it('are paged, and count the parts of all pages', async () => {
      const { id: organizationId } = await newOrganization(fleet().owner);
      const { id: fragmentId } = await newFragment(organizationId);
      const machines: NewMachine[] = [];
      for (const name of ['c', 'a', 'e', 'b', 'd']) {
        machines.push(await newUser(organizationId, name, { id: fragmentId }));
      }
      const [first] = machines;
      assert.ok(first);
      await apply(first, await fetchConfig(first));
      const app = await signInWith('organization', organizationId);
      const names: string[] = [];
      const sizes: number[] = [];
      let pageToken = '';
      do {
        const page = await app.listFragmentRollout({
          organizationId,
          fragmentId,
          pageLimit: 2n,
          pageToken,
        });
        names.push(...page.parts.map(({ machineName }) => machineName));
        sizes.push(page.parts.length);
        assert.deepEqual([page.counts?.applied, page.counts?.unknown], [1, 4]);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      assert.deepEqual(names, ['c', 'a', 'e', 'b', 'd']);
      assert.deepEqual(sizes, [2, 2, 1]);
      const list = async (states: RolloutState[]) =>
        Object.keys(
          toStates(await app.listFragmentRollout({ organizationId, fragmentId, states })),
        );
      assert.deepEqual(await list([RolloutState.APPLIED]), ['c']);
      assert.deepEqual(await list([RolloutState.UNKNOWN]), ['a', 'e', 'b', 'd']);
      assert.deepEqual(await list([RolloutState.PENDING, RolloutState.PINNED]), []);
      assert.deepEqual(await list([RolloutState.UNSPECIFIED]), []);
      for (const invalid of [
        { pageToken: 'nonsense' },
        { pageLimit: -1n },
        { states: [9 as RolloutState] },
        { organizationId: '' },
      ]) {
        const request = { organizationId, fragmentId, ...invalid };
        await assertRejected(app.listFragmentRollout(request), Code.InvalidArgument);
      }
    });

    it('contain only machines that the caller can read', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const other = await newOrganization(owner, 'Other');
      const fragment = await newFragment(organizationId);
      const fragmentId = fragment.id;
      const [arm, rover] = [
        await newUser(organizationId, 'arm', { id: fragmentId }),
        await newUser(organizationId, 'rover', { id: fragmentId }),
      ];
      const list = async (app: RolloutClient, id = organizationId) =>
        Object.keys(
          toStates(await app.listFragmentRollout({ organizationId: id, fragmentId })),
        ).toSorted();
      const stranger = await signInWith('organization', other.id);
      await assertRejected(list(stranger, other.id), Code.NotFound);
      const operator = await signInWith('robot', rover.machineId);
      await assertRejected(list(operator), Code.NotFound);

      await owner.updateFragment({
        id: fragmentId,
        name: 'drive',
        visibility: FragmentVisibility.PUBLIC,
      });
      assert.deepEqual(await list(operator), ['rover']);
      assert.deepEqual(await list(await signInWith('location', arm.locationId)), ['arm']);
      assert.deepEqual(await list(stranger, other.id), []);
      await assertRejected(list(stranger), Code.NotFound);
      await owner.shareLocation({ locationId: arm.locationId, organizationId: other.id });
      assert.deepEqual(await list(stranger, other.id), ['arm']);
    });
  });
}
