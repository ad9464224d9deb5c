import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import {
  type Fragment,
  FragmentErrorType,
  FragmentVisibility,
} from '../../../src/gen/viam/app/v1/fragment_pb';
import type { AppClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  type NewMachine,
  newOrganization,
  signInWithRole,
} from '../fleetFixture';

const { PRIVATE, PUBLIC } = FragmentVisibility;

export function fragmentNestingContract(fleet: FleetUnderTest): void {
  describe('fragments in use', () => {
    const create = async (
      organizationId: string,
      name: string,
      config: JsonObject = {},
    ): Promise<Fragment> => {
      const { fragment } = await fleet().owner.createFragment({ organizationId, name, config });
      assert.ok(fragment);
      return fragment;
    };

    const update = async (fragment: Fragment, config: JsonObject): Promise<Fragment> => {
      const answer = await fleet().owner.updateFragment({
        id: fragment.id,
        name: fragment.name,
        config,
      });
      assert.ok(answer.fragment);
      return answer.fragment;
    };

    const setConfig = (machine: NewMachine, config: JsonObject): Promise<unknown> =>
      fleet().owner.updateRobotPart({
        id: machine.part.id,
        name: machine.part.name,
        robotConfigJson: JSON.stringify(config),
      });

    /** Creates fragments, each of which contains the previous one. */
    const tower = async (organizationId: string, levels: number): Promise<Fragment[]> => {
      const fragments: Fragment[] = [];
      for (let level = 1; level <= levels; level += 1) {
        const inner = fragments.at(-1);
        fragments.push(
          await create(organizationId, `level ${String(level)}`, {
            fragments: inner === undefined ? [] : [inner.id],
          }),
        );
      }
      return fragments;
    };

    it('are nested at most five levels deep, from above and from below', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const fragments = await tower(organizationId, 5);
      await assertRejected(
        owner.createFragment({
          organizationId,
          name: 'level 6',
          config: { fragments: [{ id: fragments[4]?.id ?? '' }] },
        }),
        Code.InvalidArgument,
        /config\.fragments: .*more than 5 levels deep/,
      );
      const { fragments: all } = await owner.listFragments({
        organizationId,
        fragmentVisibility: [PRIVATE],
      });
      assert.equal(all.length, 5);
      const [lowest, second] = fragments;
      assert.ok(lowest && second);
      const base = await create(organizationId, 'ground');
      await assertRejected(
        update(lowest, { fragments: [base.id] }),
        Code.InvalidArgument,
        /more than 5 levels deep/,
      );
      await update(second, { fragments: [lowest.id, base.id] });
    });

    it('never include themselves', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const [inner, middle, outer] = await tower(organizationId, 3);
      assert.ok(inner && middle && outer);
      for (const id of [inner.id, middle.id, outer.id]) {
        await assertRejected(
          update(inner, { fragments: [{ id }] }),
          Code.InvalidArgument,
          /contain itself/,
        );
      }
      const { fragment, revisions } = await owner.getFragment({ id: inner.id });
      assert.deepEqual(fragment?.fragment, { fragments: [] });
      assert.equal(revisions.length, 1);
    });

    it('can exceed the number of parameters of a database statement', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const machine = await newMachine(owner, organizationId);
      const ids = Array.from({ length: 40_000 }, (_, index) => `absent-${String(index)}`);
      const modules = ids.map((id) => ({ name: id, module_id: `acme:${id}` }));
      await setConfig(machine, { fragments: ids, modules });
      const big = await create(organizationId, 'big', { fragments: ids });
      const { fragment } = await owner.getFragment({ id: big.id });
      assert.equal((fragment?.fragment?.fragments as string[]).length, ids.length);
    });

    it('report the machine count of an organization only to its members', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const fragment = await create(organizationId, 'shared');
      await owner.updateFragment({ id: fragment.id, name: 'shared', visibility: PUBLIC });
      await setConfig(await newMachine(owner, organizationId), { fragments: [fragment.id] });
      const { id: other } = await newOrganization(owner, 'Other');
      const stranger = await signInWithRole(fleet(), 'owner', 'organization', other);
      const requested = { id: fragment.id, currentOrganizationId: organizationId };
      const mine = await owner.getFragment(requested);
      const theirs = await stranger.getFragment(requested);
      assert.equal(mine.fragmentUsage?.machinesInCurrentOrg, 1);
      assert.equal(theirs.fragmentUsage?.machinesInCurrentOrg, 0);
    });

    it('can be changed even if other organizations nest them deeply', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const mine = await create(organizationId, 'mine');
      await owner.updateFragment({ id: mine.id, name: 'mine', visibility: PUBLIC });
      const { id: other } = await newOrganization(owner, 'Other');
      let outer = mine;
      for (const level of [2, 3, 4, 5]) {
        outer = await create(other, `level ${String(level)}`, { fragments: [outer.id] });
      }
      const inner = await create(organizationId, 'inner');
      await update(mine, { fragments: [inner.id] });
      const sixth = create(other, 'level 7', { fragments: [outer.id] });
      await assertRejected(sixth, Code.InvalidArgument, /nested more than 5 levels deep/);
      const { fragment } = await owner.getFragment({ id: mine.id });
      assert.deepEqual(fragment?.fragment, { fragments: [inner.id] });
    });

    it('are listed without configs that would exceed the size limit of a response', async () => {
      const { owner } = fleet();
      const { id: mine } = await newOrganization(owner);
      const { id: other } = await newOrganization(owner, 'Other');
      const notes = 'x'.repeat(3 * 1024 * 1024);
      const own = await create(mine, 'own', { notes });
      const published: string[] = [];
      for (const name of ['first', 'second']) {
        const { id } = await create(other, name, { notes });
        await owner.updateFragment({ id, name, visibility: PUBLIC });
        published.push(id);
      }
      const { fragments } = await owner.listFragments({
        organizationId: mine,
        fragmentVisibility: [PRIVATE, PUBLIC],
      });
      const getConfig = (id: string): unknown =>
        fragments.find((fragment) => fragment.id === id)?.fragment?.notes;
      assert.equal(getConfig(own.id), notes);
      assert.deepEqual(
        published.map((id) => fragments.some((fragment) => fragment.id === id)),
        [true, true],
      );
      assert.ok(published.filter((id) => getConfig(id) !== undefined).length <= 1);

      const outer = await Promise.all(
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
          create(mine, name, { fragments: [own.id] }),
        ),
      );
      const machine = await newMachine(owner, mine);
      await setConfig(machine, { fragments: outer.map(({ id }) => id) });
      const answer = await owner.listMachineFragments({ machineId: machine.machineId });
      assert.equal(answer.fragments.length, 8);
      const resolved = answer.resolvedFragments.filter(({ resolvedConfig }) => resolvedConfig);
      assert.ok(resolved.length > 0 && resolved.length < 8);
      for (const id of published) await owner.deleteFragment({ id });
    });

    it('cannot form a cycle through two concurrent updates', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const left = await create(organizationId, 'left');
      const right = await create(organizationId, 'right');
      const results = await Promise.allSettled([
        update(left, { fragments: [right.id] }),
        update(right, { fragments: [left.id] }),
      ]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      const { fragments } = await owner.listFragments({
        organizationId,
        fragmentVisibility: [PRIVATE],
      });
      const uses = fragments.flatMap(({ fragment }) => fragment?.fragments ?? []);
      assert.equal(uses.length, 1);
    });

    it('can be named before they exist, for configs that move between services', async () => {
      const { id } = await newOrganization(fleet().owner);
      const machine = await newMachine(fleet().owner, id);
      const config = { fragments: ['5b7c8f6e-0000-4000-8000-000000000000', { id: 'elsewhere' }] };
      await create(id, 'portable', config);
      await setConfig(machine, config);
      const answer = await fleet().owner.listMachineFragments({ machineId: machine.machineId });
      assert.deepEqual(answer.fragments, []);
    });

    it('count the parts, machines, and organizations that use them, including indirect uses', async () => {
      const { owner } = fleet();
      const mine = await newOrganization(owner);
      const other = await newOrganization(owner);
      const inner = await create(mine.id, 'inner');
      const outer = await create(mine.id, 'outer', { fragments: [inner.id] });
      for (const fragment of [inner, outer]) {
        await owner.updateFragment({ id: fragment.id, name: fragment.name, visibility: PUBLIC });
      }
      const machine = await newMachine(owner, mine.id);
      await setConfig(machine, { fragments: [outer.id, inner.id] });
      const { partId } = await owner.newRobotPart({ robotId: machine.machineId, partName: 'arm' });
      await owner.updateRobotPart({
        id: partId,
        name: 'arm',
        robotConfigJson: JSON.stringify({ fragments: [{ id: inner.id }] }),
      });
      const before = await owner.getFragment({ id: inner.id, currentOrganizationId: mine.id });
      assert.equal(before.fragment?.robotPartCount, 2);
      assert.equal(before.fragment.organizationCount, 1);
      assert.equal(before.fragment.onlyUsedByOwner, true);

      const theirs = await newMachine(owner, other.id);
      await setConfig(theirs, { fragments: [outer.id] });
      const { fragments, fragmentUsages } = await owner.listFragments({
        organizationId: mine.id,
        fragmentVisibility: [PUBLIC],
      });
      const listed = fragments.find(({ id }) => id === inner.id);
      assert.equal(listed?.robotPartCount, 3);
      assert.equal(listed.organizationCount, 2);
      assert.equal(listed.onlyUsedByOwner, false);
      const usage = fragmentUsages.find(({ fragmentId }) => fragmentId === inner.id);
      assert.deepEqual(
        [usage?.machines, usage?.machinesInCurrentOrg, usage?.organizations],
        [2, 1, 2],
      );

      await setConfig(theirs, {});
      await owner.deleteRobot({ id: machine.machineId });
      assert.equal((await owner.getFragment({ id: inner.id })).fragment?.robotPartCount, 0);
    });

    it('of a machine are listed once each, with nested and with requested ones', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const inner = await create(id, 'inner', { components: [{ name: 'arm', model: 'm' }] });
      const outer = await create(id, 'outer', { fragments: [{ id: inner.id, prefix: 'left' }] });
      const requested = await create(id, 'asked');
      const machine = await newMachine(owner, id);
      await setConfig(machine, { fragments: [outer.id, { id: inner.id }] });
      const { partId } = await owner.newRobotPart({ robotId: machine.machineId, partName: 'arm' });
      await owner.updateRobotPart({
        id: partId,
        name: 'arm',
        robotConfigJson: JSON.stringify({ fragments: [outer.id] }),
      });
      const answer = await owner.listMachineFragments({
        machineId: machine.machineId,
        additionalFragmentIds: [requested.id],
      });
      assert.deepEqual(
        answer.fragments.map(({ name }) => name),
        ['outer', 'inner', 'asked'],
      );
      const resolved = answer.resolvedFragments.find(({ fragmentId }) => fragmentId === outer.id);
      assert.deepEqual(resolved?.resolvedConfig, {
        components: [{ name: 'left-arm', model: 'm' }],
      });
      assert.equal(resolved.error, undefined);
      await assertRejected(
        owner.listMachineFragments({
          machineId: machine.machineId,
          additionalFragmentIds: ['nothing'],
        }),
        Code.NotFound,
        /fragment "nothing"/,
      );
    });

    it('of a machine stay at the revision that its config pins', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const first = await create(id, 'pinned', { jobs: [{ name: 'old' }] });
      const second = await update(first, { jobs: [{ name: 'new' }] });
      assert.notEqual(first.revision, second.revision);
      const machine = await newMachine(owner, id);
      await setConfig(machine, { fragments: [{ id: first.id, version: first.revision }] });
      const pinned = await owner.listMachineFragments({ machineId: machine.machineId });
      assert.deepEqual(
        pinned.fragments.map(({ revision, fragment }) => [revision, fragment]),
        [[first.revision, { jobs: [{ name: 'old' }] }]],
      );
      const both = await owner.listMachineFragments({
        machineId: machine.machineId,
        additionalFragments: [{ fragmentId: first.id }],
      });
      assert.deepEqual(
        both.fragments.map(({ revision }) => revision),
        [first.revision, second.revision],
      );
      const read = await owner.getFragment({ id: first.id, version: first.revision });
      assert.deepEqual(read.fragment?.fragment, { jobs: [{ name: 'old' }] });
      assert.deepEqual(
        read.revisions.map(({ revision }) => revision),
        [second.revision, first.revision],
      );
      await assertRejected(
        owner.getFragment({ id: first.id, version: 'no such' }),
        Code.NotFound,
        /version of fragment "pinned" "no such"/,
      );
    });

    it('of others are used only while they are public, and only in their public revisions', async () => {
      const { owner } = fleet();
      const mine = await newOrganization(owner);
      const other = await newOrganization(owner);
      const secret = await create(other.id, 'secret', { jobs: [{ name: 'hidden' }] });
      const shown = await create(other.id, 'shown', { fragments: [secret.id] });
      await owner.updateFragment({ id: shown.id, name: 'shown', visibility: PUBLIC });
      const machine = await newMachine(owner, mine.id);
      await setConfig(machine, {
        fragments: [shown.id, secret.id, { id: shown.id, version: shown.revision, prefix: 'p' }],
      });
      const answer = await owner.listMachineFragments({ machineId: machine.machineId });
      assert.deepEqual(
        answer.fragments.map(({ name }) => name),
        ['shown'],
      );
      assert.equal(
        answer.resolvedFragments[0]?.error?.errorType,
        FragmentErrorType.CHILD_ID_INVALID,
      );
      assert.equal(answer.resolvedFragments[0].error.fragmentId, secret.id);
    });

    it('of a machine are readable by its operators, but other fragments are not', async () => {
      const { owner } = fleet();
      const { id } = await newOrganization(owner);
      const used = await create(id, 'used');
      const other = await create(id, 'other');
      const machine = await newMachine(owner, id);
      await setConfig(machine, { fragments: [used.id] });
      const { machineId } = machine;
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      const { fragments } = await operator.listMachineFragments({ machineId });
      assert.deepEqual(
        fragments.map(({ name }) => name),
        ['used'],
      );
      await assertRejected(
        operator.listMachineFragments({ machineId, additionalFragmentIds: [other.id] }),
        Code.NotFound,
      );
    });

    it('of a machine reveal neither private fragments in public ones nor private revisions', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const secret = await create(organizationId, 'secret', { components: [{ name: 'secret' }] });
      const open = await create(organizationId, 'open', { fragments: [secret.id] });
      const { id, name } = open;
      const privateVersion = open.revision;
      await owner.updateFragment({ id, name, config: {}, visibility: PUBLIC });
      const { machineId } = await newMachine(owner, organizationId);
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      const listNames = async (caller: AppClient, more: object): Promise<string[]> => {
        const { fragments, resolvedFragments } = await caller.listMachineFragments({
          machineId,
          ...more,
        });
        assert.equal(resolvedFragments.length, fragments.length);
        return fragments.map((fragment) => fragment.name).toSorted();
      };
      const pinned = { additionalFragments: [{ fragmentId: id, version: privateVersion }] };
      assert.deepEqual(await listNames(owner, pinned), ['open', 'secret']);
      await assertRejected(listNames(operator, pinned), Code.NotFound);
      await owner.updateFragment({ id, name, config: { fragments: [secret.id] } });
      const newest = { additionalFragmentIds: [id] };
      assert.deepEqual(await listNames(owner, newest), ['open', 'secret']);
      assert.deepEqual(await listNames(operator, newest), ['open']);
    });
  });
}
