import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import type { AppClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

interface MetadataOperations {
  read: (app: AppClient, id: string) => Promise<JsonObject | undefined>;
  write: (app: AppClient, id: string, data: JsonObject | undefined) => Promise<unknown>;
}

type Kind = 'organization' | 'location' | 'machine' | 'part';

const optionalData = (data: JsonObject | undefined) => (data === undefined ? {} : { data });

const OPERATIONS: Record<Kind, MetadataOperations> = {
  organization: {
    read: async (app, organizationId) =>
      (await app.getOrganizationMetadata({ organizationId })).data,
    write: (app, organizationId, data) =>
      app.updateOrganizationMetadata({ organizationId, ...optionalData(data) }),
  },
  location: {
    read: async (app, locationId) => (await app.getLocationMetadata({ locationId })).data,
    write: (app, locationId, data) =>
      app.updateLocationMetadata({ locationId, ...optionalData(data) }),
  },
  machine: {
    read: async (app, id) => (await app.getRobotMetadata({ id })).data,
    write: (app, id, data) => app.updateRobotMetadata({ id, ...optionalData(data) }),
  },
  part: {
    read: async (app, id) => (await app.getRobotPartMetadata({ id })).data,
    write: (app, id, data) => app.updateRobotPartMetadata({ id, ...optionalData(data) }),
  },
};

const DATA = { owner: 'line 3', tags: ['a', 'b'], nested: { deep: [1, null, true] } };

export function metadataContract(fleet: FleetUnderTest): void {
  describe('metadata', () => {
    it('of a part is also in the part, unless it is large', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { locationId, machineId, part } = await newMachine(owner, organizationId);
      const { id, name } = part;
      assert.equal(part.userSuppliedInfo, undefined);
      await owner.updateRobotPartMetadata({ id, data: DATA });
      const operator = await signInWithRole(fleet(), 'operator', 'location', locationId);
      assert.deepEqual((await operator.getRobotPart({ id })).part?.userSuppliedInfo, DATA);
      const { part: updated } = await owner.updateRobotPart({ id, name: `${name}-2` });
      assert.deepEqual(updated?.userSuppliedInfo, DATA);
      const listed = async () => (await owner.getRobotParts({ robotId: machineId })).parts;
      assert.deepEqual((await listed())[0]?.userSuppliedInfo, DATA);
      const { history } = await owner.getRobotPartHistory({ id });
      assert.deepEqual(
        history.map(({ old }) => old?.userSuppliedInfo),
        [undefined],
      );
      await owner.updateRobotPartMetadata({ id, data: { text: 'x'.repeat(17 * 1024) } });
      assert.equal((await owner.getRobotPart({ id })).part?.userSuppliedInfo, undefined);
    });

    it('of parts is in a list up to its maximum size', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { machineId: robotId } = await newMachine(owner, organizationId);
      const data = { text: 'x'.repeat(16_000) };
      for (let number = 0; number < 20; number += 1) {
        const { partId } = await owner.newRobotPart({ robotId, partName: `arm-${String(number)}` });
        await owner.updateRobotPartMetadata({ id: partId, data });
      }
      const { parts } = await owner.getRobotParts({ robotId });
      assert.equal(parts.length, 21);
      assert.equal(parts.filter(({ userSuppliedInfo }) => userSuppliedInfo).length, 16);
    });

    it('rejects values that are not valid numbers or are too large', async () => {
      const { owner } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const write = (data: JsonObject): Promise<unknown> =>
        owner.updateOrganizationMetadata({ organizationId, data });
      await assertRejected(write({ a: [Number.NaN] }), Code.InvalidArgument, /range of a double/);
      const tooMuch = 'x'.repeat(4 * 1024 * 1024);
      await assertRejected(write({ a: tooMuch }), Code.InvalidArgument, /not be larger than 4 MiB/);
    });

    for (const [kind, { read, write }] of Object.entries(OPERATIONS)) {
      it(`of a ${kind} is empty at first, replaced as a whole, and writable only by its owner`, async () => {
        const { owner } = fleet();
        const { id: organizationId } = await newOrganization(owner);
        const { locationId, machineId, part } = await newMachine(owner, organizationId);
        const ids: Record<Kind, string> = {
          organization: organizationId,
          location: locationId,
          machine: machineId,
          part: part.id,
        };
        const id = ids[kind as Kind];
        assert.deepEqual(await read(owner, id), {});
        await write(owner, id, { gone: true });
        await write(owner, id, DATA);
        assert.deepEqual(await read(owner, id), DATA);
        await assertRejected(write(owner, id, undefined), Code.InvalidArgument);
        const stranger = await newStranger(fleet());
        await assertRejected(read(stranger, id), Code.NotFound);
        await assertRejected(write(stranger, id, {}), Code.NotFound);
        const operator = await signInWithRole(fleet(), 'operator', 'organization', organizationId);
        assert.deepEqual(await read(operator, id), DATA);
        await assertRejected(write(operator, id, {}), Code.PermissionDenied);
        await write(owner, id, {});
        assert.deepEqual(await read(owner, id), {});
      });
    }
  });
}
