import assert from 'node:assert/strict';
import { type Client, Code, createClient } from '@connectrpc/connect';
import { RESTART_MARK_HEADER } from '../../../src/core/model/contractExtensions';
import { RobotService } from '../../../src/gen/viam/app/v1/robot_pb';
import { authClient, bearerTransport } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  signInWithRole,
} from '../fleetFixture';

type CredentialType = 'robot-secret' | 'robot-location-secret';

export function restartContract(fleet: FleetUnderTest): void {
  describe('restarts', () => {
    /** Signs in as a part, like a machine's software when it starts. */
    const startMachine = async (
      partId: string,
      payload: string,
      type: CredentialType = 'robot-secret',
    ): Promise<Client<typeof RobotService>> => {
      const { deployment } = fleet();
      const { accessToken } = await authClient(deployment).authenticate({
        entity: partId,
        credentials: { type, payload },
      });
      return createClient(RobotService, bearerTransport(deployment, accessToken));
    };

    for (const type of ['robot-secret', 'robot-location-secret'] as const) {
      it(`are requested until a machine with its ${type} restarts`, async () => {
        const { owner } = fleet();
        const { part, locationId } = await newMachine(owner, (await newOrganization(owner)).id);
        const { auth } = await owner.locationAuth({ locationId });
        const secret = type === 'robot-secret' ? part.secrets[0]?.secret : auth?.secrets[0]?.secret;
        const { id } = part;
        const before = await startMachine(id, secret ?? '', type);
        const quiet = await before.needsRestart({ id });
        assert.equal(quiet.mustRestart, false);
        assert.equal(quiet.id, id);
        assert.ok((quiet.restartCheckInterval?.seconds ?? 0n) > 0n);

        await owner.markPartForRestart({ partId: id });
        assert.equal((await before.needsRestart({ id })).mustRestart, true);
        assert.equal((await before.needsRestart({ id })).mustRestart, true);

        const after = await startMachine(id, secret ?? '', type);
        assert.equal((await after.needsRestart({ id })).mustRestart, false);
      });
    }

    it('reach a machine that was off when the restart was requested', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = part;
      await owner.markPartForRestart({ partId: id });
      const machine = await startMachine(id, part.secrets[0]?.secret ?? '');
      assert.equal((await machine.needsRestart({ id })).mustRestart, true);
    });

    it('are counted as another restart if requested again while one is in progress', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = part;
      const secret = part.secrets[0]?.secret ?? '';
      const machine = await startMachine(id, secret);
      await owner.markPartForRestart({ partId: id });
      await machine.needsRestart({ id });
      await owner.markPartForRestart({ partId: id });
      const after = await startMachine(id, secret);
      assert.equal((await after.needsRestart({ id })).mustRestart, true);
    });

    it('are reported in a header of the part, from the request until the next start', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id } = part;
      const secret = part.secrets[0]?.secret ?? '';
      const mark = async (): Promise<string | null> => {
        let text: string | null = null;
        const onHeader = (headers: Headers): void => {
          text = headers.get(RESTART_MARK_HEADER);
        };
        await owner.getRobotPart({ id }, { onHeader });
        return text;
      };
      const machine = await startMachine(id, secret);
      assert.equal(await mark(), 'none');
      await owner.markPartForRestart({ partId: id });
      assert.equal(await mark(), 'asked');
      await machine.needsRestart({ id });
      assert.equal(await mark(), 'told');
      await startMachine(id, secret);
      assert.equal(await mark(), 'none');
    });

    it('are reported only to the part itself, whether the part exists or not', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const one = await newMachine(owner, organizationId);
      const other = await newMachine(owner, organizationId);
      const machine = await startMachine(one.part.id, one.part.secrets[0]?.secret ?? '');
      for (const id of [other.part.id, 'nothing']) {
        await assertRejected(machine.needsRestart({ id }), Code.PermissionDenied, /only the part/);
      }
      const { accessToken } = await authClient(deployment).authenticate({
        entity: deployment.owner.apiKeyId,
        credentials: { type: 'api-key', payload: deployment.owner.apiKey },
      });
      const person = createClient(RobotService, bearerTransport(deployment, accessToken));
      await assertRejected(person.needsRestart({ id: one.part.id }), Code.PermissionDenied);
      const nobody = createClient(RobotService, bearerTransport(deployment));
      await assertRejected(nobody.needsRestart({ id: one.part.id }), Code.Unauthenticated);
    });

    it('are allowed for anyone who can control the machine', async () => {
      const { owner } = fleet();
      const { part, machineId } = await newMachine(owner, (await newOrganization(owner)).id);
      const operator = await signInWithRole(fleet(), 'operator', 'robot', machineId);
      await operator.markPartForRestart({ partId: part.id });
      await assertRejected(owner.markPartForRestart({ partId: 'nothing' }), Code.NotFound);
    });
  });
}
