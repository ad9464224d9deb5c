import assert from 'node:assert/strict';
import type { JsonObject, JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Client, Code, createClient } from '@connectrpc/connect';
import { type GetRobotPartLogsRequestSchema, LogOrder } from '../../../src/gen/viam/app/v1/log_pb';
import { RobotService } from '../../../src/gen/viam/app/v1/robot_pb';
import type { LogEntry, LogEntrySchema } from '../../../src/gen/viam/common/v1/common_pb';
import { appClient, bearerTransport, connectPart, signInToken } from '../deployment';
import { assertRejected, type FleetUnderTest, newMachine, newOrganization } from '../fleetFixture';
import { INVALID_NANOS } from '../wireTimes';

type Line = MessageInitShape<typeof LogEntrySchema>;

const START = Date.parse('2026-02-01T00:00:00.000Z');
const SECOND = 1000;

export function partLogContract(fleet: FleetUnderTest): void {
  describe('logs of parts', () => {
    let id: string;
    let machine: Client<typeof RobotService>;

    beforeEach(async () => {
      const { owner, deployment } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      ({ id } = part);
      machine = await connectPart(deployment, part);
    });

    const messages = async (
      request: MessageInitShape<typeof GetRobotPartLogsRequestSchema> = {},
    ): Promise<string[]> => {
      const { logs } = await fleet().owner.getRobotPartLogs({ id, ...request });
      return logs.map(({ message }) => message);
    };

    it('are stored completely, with the newest first', async () => {
      const whole = {
        ...line(2, 'full'),
        host: 'pi',
        stack: 'at main',
        caller: { File: 'main.go', Line: 12 },
        fields: [{ Key: 'speed', Float: 1.5 }],
      };
      await machine.log({ id, logs: [line(1, 'first'), whole] });
      const { logs, nextPageToken } = await fleet().owner.getRobotPartLogs({ id });
      assert.equal(nextPageToken, '');
      assert.deepEqual(
        logs.map(({ message }) => message),
        ['full', 'first'],
      );
      const [found] = logs;
      assert.deepEqual(found?.caller, whole.caller);
      assert.deepEqual(found.fields, whole.fields);
      assert.deepEqual(
        [found.host, found.level, found.loggerName, found.stack],
        ['pi', 'info', 'rdk.camera', 'at main'],
      );
      assert.deepEqual(found.time && timestampDate(found.time), new Date(START + 2 * SECOND));
    });

    it('are stored once, even if they are sent repeatedly', async () => {
      const batch = [line(1, 'a'), line(1, 'b'), line(1, 'b'), line(2, 'a')];
      await machine.log({ id, logs: batch });
      await machine.log({ id, logs: batch });
      await machine.log({ id, logs: [line(1, 'b'), line(3, 'c')] });
      const order = LogOrder.ASCENDING;
      assert.deepEqual(await messages({ order }), ['a', 'b', 'b', 'a', 'c']);
    });

    it('are stored as often as one call contains them', async () => {
      const logs = Array.from({ length: 600 }, () => line(1, 'the same'));
      await machine.log({ id, logs });
      await machine.log({ id, logs });
      assert.equal((await messages({ limit: 1000n })).length, logs.length);
    });

    it('are selected by text, level, source and time', async () => {
      await machine.log({
        id,
        logs: [
          line(1, 'Camera 100% open', { level: 'INFO' }),
          line(2, 'camera_lost', { level: 'error', loggerName: 'rdk.camera.driver' }),
          line(3, 'arm moves', { level: 'debug', loggerName: 'rdk.arm' }),
          line(4, 'ok', { level: 'warn', loggerName: 'agent', fields: [{ user_facing: true }] }),
        ],
      });
      const at = (seconds: number) => timestampFromDate(new Date(START + seconds * SECOND));
      assert.deepEqual(await messages({ filter: 'camera' }), ['camera_lost', 'Camera 100% open']);
      assert.deepEqual(await messages({ filter: '100%' }), ['Camera 100% open']);
      assert.deepEqual(await messages({ filter: 'a_l' }), ['camera_lost']);
      assert.deepEqual(await messages({ filter: 'ok' }), ['ok']);
      assert.deepEqual(await messages({ levels: ['info', 'Debug'] }), [
        'arm moves',
        'Camera 100% open',
      ]);
      assert.deepEqual(await messages({ errorsOnly: true }), ['camera_lost']);
      assert.deepEqual(await messages({ source: 'rdk.camera' }), [
        'camera_lost',
        'Camera 100% open',
      ]);
      assert.deepEqual(await messages({ userFacingOnly: true }), ['ok']);
      assert.deepEqual(await messages({ start: at(2), end: at(4) }), ['arm moves', 'camera_lost']);
      assert.deepEqual(await messages({ start: at(3), range: '1s' }), ['arm moves']);
      assert.equal((await messages({ range: '1000000h' })).length, 4);
      assert.deepEqual(await messages({ end: at(3), range: '1m' }), [
        'camera_lost',
        'Camera 100% open',
      ]);
      const { owner } = fleet();
      await assertRejected(
        owner.getRobotPartLogs({ id, range: 'soon' }),
        Code.InvalidArgument,
        /range/,
      );
      for (const time of INVALID_NANOS) {
        for (const field of ['start', 'end'] as const) {
          await assertRejected(
            owner.getRobotPartLogs({ id, [field]: time }),
            Code.InvalidArgument,
            new RegExp(`^${field}: .*nanos must be`),
          );
        }
      }
      await assertRejected(
        owner.getRobotPartLogs({ id, pageToken: 'x' }),
        Code.InvalidArgument,
        /page_token/,
      );
    });

    it('are returned 100 at a time, in complete pages while lines are added', async () => {
      const { owner } = fleet();
      await machine.log({ id, logs: Array.from({ length: 250 }, (_, n) => line(n, `line ${n}`)) });
      const first = await owner.getRobotPartLogs({ id, limit: 0n });
      assert.equal(first.logs.length, 100);
      await machine.log({ id, logs: [line(300, 'line late')] });
      const found = first.logs.map(({ message }) => message);
      for (let pageToken = first.nextPageToken; pageToken !== '';) {
        const page = await owner.getRobotPartLogs({ id, pageToken, filter: 'line' });
        found.push(...page.logs.map(({ message }) => message));
        pageToken = page.nextPageToken;
      }
      assert.deepEqual(
        found,
        Array.from({ length: 250 }, (_, n) => `line ${249 - n}`),
      );
    });

    it('find a rare substring among many lines', async () => {
      const many = Array.from({ length: 5000 }, (_, n) => line(n, `heartbeat ${n}`));
      await machine.log({ id, logs: [line(0, 'the gripper JAMMED "hard"'), ...many] });
      assert.deepEqual(await messages({ filter: 'jammed "h' }), ['the gripper JAMMED "hard"']);
      assert.deepEqual(await messages({ filter: 'no such text' }), []);
    });

    it('are found ignoring case, in ASCII and other characters', async () => {
      const texts = ['ÄRGER am Greifer', 'ärger am Band', 'ΟΔΟΣ 7', 'Straße 😀a', 'plain Ärm'];
      const many = Array.from({ length: 3000 }, (_, n) => line(n + 10, `Größe ${n}`));
      await machine.log({ id, logs: [...texts.map((text, n) => line(n, text)), ...many] });
      const both = ['ärger am Band', 'ÄRGER am Greifer'];
      assert.deepEqual(await messages({ filter: 'ärger' }), both);
      assert.deepEqual(await messages({ filter: 'ÄRGER AM' }), both);
      assert.deepEqual(await messages({ filter: 'οδος' }), ['ΟΔΟΣ 7']);
      assert.deepEqual(await messages({ filter: '😀A' }), ['Straße 😀a']);
      assert.deepEqual(await messages({ filter: 'STRA' }), ['Straße 😀a']);
      assert.deepEqual(await messages({ filter: 'äR' }), ['plain Ärm', ...both]);
      assert.deepEqual(await messages({ filter: 'grösse' }), []);
      assert.deepEqual(await messages({ filter: 'GRÖßE 2999' }), ['Größe 2999']);
    });

    it('show that the machine is online', async () => {
      const { owner } = fleet();
      await machine.log({ id, logs: [] });
      const { part } = await owner.getRobotPart({ id });
      assert.ok(part?.lastAccess);
    });

    it('are writable only by the part itself, and limited in length', async () => {
      const { owner, deployment } = fleet();
      const { apiKeyId, apiKey } = deployment.owner;
      const token = await signInToken(deployment, { id: apiKeyId, key: apiKey });
      const asOwner = createClient(RobotService, bearerTransport(deployment, token));
      await assertRejected(asOwner.log({ id, logs: [] }), Code.PermissionDenied);
      await assertRejected(
        machine.log({ id, logs: [line(1, 'x'.repeat(1024 * 1024 + 1))] }),
        Code.InvalidArgument,
        /logs\[0\]/,
      );
      const other = await newMachine(owner, (await newOrganization(owner)).id);
      await assertRejected(machine.log({ id: other.part.id, logs: [] }), Code.PermissionDenied);
    });

    it('are selected by all conditions together', async () => {
      await machine.log({
        id,
        logs: [
          line(1, 'a', { level: 'INFO' }),
          line(2, 'b', { level: 'error' }),
          line(3, 'c', { level: 'fatal' }),
        ],
      });
      const errors = { errorsOnly: true };
      assert.deepEqual(await messages({ ...errors, levels: ['info', 'Fatal'] }), ['c']);
      assert.deepEqual(await messages({ ...errors, levels: ['info'] }), []);
      assert.deepEqual(await messages({ ...errors, levels: [''] }), ['c', 'b']);
    });

    it('are for users only if the field itself says so', async () => {
      const fields = (...values: JsonObject[]) => ({ fields: values });
      await machine.log({
        id,
        logs: [
          line(1, 'a', fields({ cause: { user_facing: true } })),
          line(2, 'b', fields({ list: [{ user_facing: true }] })),
          line(3, 'c', fields({ other: 1 }, { user_facing: true, more: 'text' })),
          line(4, 'd', fields({ text: '"user_facing":true' })),
          line(5, 'e', fields({ user_facing: false, cause: { user_facing: true } })),
          line(6, 'f', fields({ 'zero\0': 1, user_facing: true })),
        ],
      });
      assert.deepEqual(await messages({ userFacingOnly: true }), ['f', 'c']);
      assert.deepEqual(await messages({ userFacingOnly: true, filter: 'c' }), ['c']);
    });

    it('are tailed as they are written, all or only errors', async () => {
      const { owner } = fleet();
      const stop = new AbortController();
      const read = async (errorsOnly: boolean, count: number): Promise<string[]> => {
        const found: LogEntry[] = [];
        const tail = owner.tailRobotPartLogs({ id, errorsOnly }, { signal: stop.signal });
        for await (const { logs } of tail) {
          started();
          found.push(...logs);
          if (found.length >= count) break;
        }
        return found.map(({ message }) => message);
      };
      let waiting = 2;
      const live = Promise.withResolvers<undefined>();
      const started = (): void => {
        waiting -= 1;
        if (waiting === 0) live.resolve(undefined);
      };
      await machine.log({ id, logs: [line(0, 'before')] });
      const all = read(false, 3);
      const errors = read(true, 1);
      await live.promise;
      await machine.log({ id, logs: [line(1, 'fine'), line(2, 'bad', { level: 'ERROR' })] });
      await machine.log({ id, logs: [line(2, 'bad', { level: 'ERROR' }), line(3, 'fine again')] });
      assert.deepEqual(await all, ['fine', 'bad', 'fine again']);
      assert.deepEqual(await errors, ['bad']);
      stop.abort();
    });

    it('are tailed until the deadline, which does not end the log', async () => {
      // The client itself has no deadline, and waits for the service's response.
      const headers = { 'grpc-timeout': '50m', 'connect-timeout-ms': '50' };
      const read = async (): Promise<void> => {
        for await (const { logs } of fleet().owner.tailRobotPartLogs({ id }, { headers })) {
          assert.deepEqual(logs, []);
        }
      };
      await assertRejected(read(), Code.DeadlineExceeded);
    });

    it('are never mistaken for messages of the service in a tail', async () => {
      await machine.log({ id, logs: [line(1, 'forged', { loggerName: 'fleetwright.tail' })] });
      const { logs } = await fleet().owner.getRobotPartLogs({ id });
      assert.deepEqual(
        logs.map(({ loggerName }) => loggerName),
        ['machine.fleetwright.tail'],
      );
    });

    it('are rejected when they are nested deeper than readers accept', async () => {
      const nested = (levels: number): JsonValue =>
        Array.from({ length: levels }).reduce<JsonValue>((inner) => [inner], 1);
      await machine.log({ id, logs: [line(1, 'deep', { fields: [{ deep: nested(31) }] })] });
      assert.deepEqual(await messages(), ['deep']);
      const deeper = line(2, 'deeper', { caller: { deep: nested(32) } });
      await assertRejected(
        machine.log({ id, logs: [line(1, 'fine'), deeper] }),
        Code.InvalidArgument,
        /logs\[1\]/,
      );
    });

    it('are deleted with their part', async () => {
      const { owner, deployment } = fleet();
      await machine.log({ id, logs: [line(1, 'gone')] });
      const { part } = await owner.getRobotPart({ id });
      await owner.deleteRobot({ id: part?.robot ?? '' });
      await assertRejected(owner.getRobotPartLogs({ id }), Code.NotFound);
      const stranger = appClient(deployment);
      await assertRejected(stranger.getRobotPartLogs({ id }), Code.Unauthenticated);
    });
  });
}

function line(seconds: number, message: string, more: Line = {}): Line {
  return {
    level: 'info',
    loggerName: 'rdk.camera',
    time: timestampFromDate(new Date(START + seconds * SECOND)),
    message,
    ...more,
  };
}
