import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { appClient, authClient } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
  signInWithRole,
} from '../fleetFixture';

export function machineSecretContract(fleet: FleetUnderTest): void {
  describe('machine secrets', () => {
    it("of a location are limited to two, and end their machines' tokens when deleted", async () => {
      const { deployment, owner } = fleet();
      const { locationId, part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { auth } = await owner.createLocationSecret({ locationId });
      assert.equal(auth?.locationId, locationId);
      assert.equal(auth.secrets.length, 2);
      await assertRejected(owner.createLocationSecret({ locationId }), Code.FailedPrecondition);
      const [old, current] = auth.secrets;
      assert.ok(old && current);
      const { accessToken } = await authClient(deployment).authenticate({
        entity: part.id,
        credentials: { type: 'robot-location-secret', payload: old.secret },
      });
      const machine = appClient(deployment, accessToken);
      await machine.getRobotPart({ id: part.id });
      await owner.deleteLocationSecret({ locationId, secretId: old.id });
      await assertRejected(machine.getRobotPart({ id: part.id }), Code.Unauthenticated);
      const rest = await owner.locationAuth({ locationId });
      assert.deepEqual(
        rest.auth?.secrets.map(({ id }) => id),
        [current.id],
      );
      await assertRejected(
        owner.deleteLocationSecret({ locationId, secretId: old.id }),
        Code.NotFound,
      );
    });

    it('of a part are limited to two', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { part: withTwo } = await owner.createRobotPartSecret({ partId: part.id });
      assert.equal(withTwo?.secrets.length, 2);
      await assertRejected(
        owner.createRobotPartSecret({ partId: part.id }),
        Code.FailedPrecondition,
      );
      const secretId = part.secrets[0]?.id ?? '';
      await owner.deleteRobotPartSecret({ partId: part.id, secretId });
      const { part: withOne } = await owner.getRobotPart({ id: part.id });
      assert.deepEqual(
        withOne?.secrets.map(({ id }) => id),
        [withTwo.secrets[1]?.id],
      );
      await assertRejected(
        owner.deleteRobotPartSecret({ partId: part.id, secretId }),
        Code.NotFound,
      );
    });

    it('are read and created only by their owner', async () => {
      const { owner } = fleet();
      const { locationId, part } = await newMachine(owner, (await newOrganization(owner)).id);
      const operator = await signInWithRole(fleet(), 'operator', 'location', locationId);
      await assertRejected(operator.locationAuth({ locationId }), Code.PermissionDenied);
      await assertRejected(
        operator.createRobotPartSecret({ partId: part.id }),
        Code.PermissionDenied,
      );
      const stranger = await newStranger(fleet());
      await assertRejected(stranger.locationAuth({ locationId }), Code.NotFound);
      await assertRejected(stranger.createRobotPartSecret({ partId: part.id }), Code.NotFound);
    });
  });
}
