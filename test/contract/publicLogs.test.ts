import assert from 'node:assert/strict';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import { signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import { connectPublicClient, connectPublicMachine } from '../publicClient/publicClient';
import { waitUntil } from '../support/waitUntil';
import {
  newRover,
  openPublicFleet,
  PUBLIC_PROTOCOLS,
  type PublicClient,
  type PublicFleet,
} from './publicFleet';

type Tailed = Parameters<PublicClient['appClient']['tailRobotPartLogs']>[1];

const LINES = 250;
const PAGE = 100;
const START = Date.parse('2026-02-01T00:00:00.000Z');
const TIMEOUT_MS = 120_000;
const TAIL_CHECK_MS = 200;

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client reads logs over ${protocol}`, function () {
    this.timeout(TIMEOUT_MS);
    let fleet: PublicFleet;
    let client: PublicClient;
    let partId: string;
    let secret: string;
    let keyId: string;
    let robotId: string;
    let write: (...lines: { message: string; level?: string }[]) => Promise<void>;
    let written = 0;

    before(async () => {
      fleet = await openPublicFleet(protocol, { tailCheckMs: TAIL_CHECK_MS });
      ({ client } = fleet);
      keyId = fleet.owner.apiKeyId;
      const rover = await newRover(fleet);
      ({ robotId } = rover);
      partId = rover.part.id;
      secret = rover.part.secrets[0]?.secret ?? '';
      const credentials = { type: 'robot-secret', entity: partId, payload: secret } as const;
      const machine = createClient(
        RobotService,
        await signedInTransport(
          (added) => createGrpcTransport({ baseUrl: fleet.url, interceptors: added }),
          credentials,
        ),
      );
      write = async (...lines) => {
        const logs = lines.map(({ message, level = 'info' }) => ({
          message,
          level,
          loggerName: 'rdk',
          fields: [{ sequence: (written += 1) }],
          time: timestampFromMs(START + written),
        }));
        await machine.log({ id: partId, logs });
      };
      await write(...Array.from({ length: LINES }, (_, n) => ({ message: `line ${n}` })));
      await write(
        { message: 'Gripper JAMMED', level: 'error' },
        { message: 'warm', level: 'warn' },
      );
    });

    after(() => fleet.close());

    it('page by page, newest first, also while lines are added', async () => {
      const { appClient } = client;
      const found: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = await appClient.getRobotPartLogs(partId, 'line', undefined, pageToken);
        assert.ok(page.logs.length <= PAGE);
        found.push(...page.logs.map(({ message }) => message));
        pageToken = page.nextPageToken;
        await write({ message: 'line that is late' });
      } while (pageToken !== '');
      assert.deepEqual(
        found,
        Array.from({ length: LINES }, (_, n) => `line ${LINES - 1 - n}`),
      );
    });

    it('by text and level', async () => {
      const { appClient } = client;
      const messages = async (filter?: string, levels?: string[]): Promise<string[]> =>
        (await appClient.getRobotPartLogs(partId, filter, levels)).logs.map(
          ({ message }) => message,
        );
      assert.deepEqual(await messages('jammed'), ['Gripper JAMMED']);
      assert.deepEqual(await messages(undefined, ['error', 'warn']), ['warm', 'Gripper JAMMED']);
    });

    /**
     * Waits until a tail has received a line. Logs the line repeatedly, because a tail doesn't
     * indicate when it is ready.
     */
    async function until(tailed: Tailed, message: string, level?: string): Promise<void> {
      const isTailed = async (): Promise<boolean> => {
        if (tailed.some((line) => line.message === message)) return true;
        await write({ message, ...(level === undefined ? {} : { level }) });
        return false;
      };
      await waitUntil(isTailed, { describeState: () => `tailed "${message}"`, pollMs: 20 });
    }

    it('as they are written, only errors unless it requests all, until its access ends', async () => {
      const copy = await client.appClient.createKeyFromExistingKeyAuthorizations(keyId);
      const [apiKeyId, apiKey] = [copy.id, copy.key];
      const reader = await connectPublicClient({ url: fleet.url, apiKeyId, apiKey }, protocol);
      const [errors, all, partial]: [Tailed, Tailed, Tailed] = [[], [], []];
      const ended = Promise.allSettled([
        reader.appClient.tailRobotPartLogs(partId, errors),
        reader.appClient.tailRobotPartLogs(partId, all, undefined, false),
        reader.appClient.tailRobotPartLogs(partId, partial, 'NEEDLE', false),
      ]);
      await until(errors, 'on fire', 'error');
      await until(all, 'all is well');
      await until(partial, 'a needle in it');
      assert.ok(errors.every(({ level }) => level === 'error'));
      assert.ok(partial.every(({ message }) => message === 'a needle in it'));
      assert.ok(all.length >= errors.length);
      await client.appClient.deleteKey(copy.id);
      for (const tail of await ended) {
        assert.equal(tail.status, 'rejected');
        assert.match(String(tail.reason), /unauthenticated/i);
      }
    });

    it('but not as a machine, which writes them', async () => {
      const machine = await connectPublicMachine({ url: fleet.url, partId, secret }, protocol);
      assert.equal((await machine.appClient.getRobot(robotId))?.name, 'rover');
      await assert.rejects(machine.appClient.getRobotPartLogs(partId), /permission_denied/);
    });

    it('until their part is deleted', async () => {
      const tailed: Tailed = [];
      const ended = assert.rejects(
        client.appClient.tailRobotPartLogs(partId, tailed, undefined, false),
        /not_found/,
      );
      await until(tailed, 'here');
      await client.appClient.deleteRobot(robotId);
      await ended;
    });
  });
}
