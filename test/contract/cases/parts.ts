import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { type Timestamp, timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { AuthenticationType } from '../../../src/gen/viam/app/v1/authorization_pb';
import { signIn } from '../deployment';
import {
  assertRejected,
  type FleetUnderTest,
  newMachine,
  newOrganization,
  newStranger,
} from '../fleetFixture';
import { role } from '../permissions/permissionRequests';
import { FIRST_TIME, INVALID_NANOS, LAST_TIME, NO_TIMES } from '../wireTimes';

const RAW_CONFIG = `{
    "services": [],
  "components": [ {"name": "arm1", "attributes": {"rpm": 100, "serial": 12345678901234567890, "ratio": 1.0}} ]
}
`;

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;
const LARGE_CONFIG_MS = 60_000;

export function partContract(fleet: FleetUnderTest): void {
  describe('parts', () => {
    it('preserve a raw config byte for byte, even if a Struct is sent with it', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { part: updated } = await owner.updateRobotPart({
        id: part.id,
        name: part.name,
        robotConfig: { ignored: true },
        robotConfigJson: RAW_CONFIG,
      });
      assert.equal(updated?.robotConfigJson, RAW_CONFIG);
      const read = await owner.getRobotPart({ id: part.id });
      assert.equal(read.configJson, RAW_CONFIG);
      assert.equal(read.part?.robotConfigJson, RAW_CONFIG);
      assert.deepEqual(Object.keys(read.part.robotConfig ?? {}), ['services', 'components']);
    });

    it('preserve the order of keys when a client sends a Struct', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id, name } = part;
      await owner.updateRobotPart({
        id,
        name,
        robotConfigJson: '{"zeta":1,"alpha":{"y":1,"x":2},"components":[{"name":"b","model":"m"}]}',
      });
      const { part: updated } = await owner.updateRobotPart({
        id,
        name,
        robotConfig: {
          added: true,
          alpha: { x: 3, y: 1 },
          components: [{ model: 'm', name: 'b' }],
          zeta: 1,
        },
      });
      assert.equal(
        JSON.stringify(JSON.parse(updated?.robotConfigJson ?? '')),
        '{"zeta":1,"alpha":{"y":1,"x":3},"components":[{"name":"b","model":"m"}],"added":true}',
      );
    });

    it('preserve the config when an update has none', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      await owner.updateRobotPart({ id: part.id, name: 'a', robotConfigJson: RAW_CONFIG });
      const { part: renamed } = await owner.updateRobotPart({ id: part.id, name: 'b' });
      assert.equal(renamed?.name, 'b');
      assert.equal(renamed.robotConfigJson, RAW_CONFIG);
    });

    it('reject a name or a config that no machine could load', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const update = (robotConfigJson: string): Promise<unknown> =>
        owner.updateRobotPart({ id: part.id, name: part.name, robotConfigJson });
      await assertRejected(update('{"a":'), Code.InvalidArgument, /robot_config_json.*JSON/);
      await assertRejected(update('[]'), Code.InvalidArgument, /object/);
      await assertRejected(update('null'), Code.InvalidArgument, /object/);
      await assertRejected(update(''), Code.InvalidArgument);
      await assertRejected(
        update('{"components":{}}'),
        Code.InvalidArgument,
        /components: must be/,
      );
      await assertRejected(
        update('{"components":[{"name":"a"},{"name":"a"}]}'),
        Code.InvalidArgument,
        /components\[1\]\.name: "a" is used twice/,
      );
      const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
      await assertRejected(update(deep(31)), Code.InvalidArgument, /be nested/);
      await assertRejected(update('{"a":[1e999]}'), Code.InvalidArgument, /range of a double/);
      await assertRejected(
        owner.updateRobotPart({ id: part.id, name: part.name, robotConfig: { a: -Infinity } }),
        Code.InvalidArgument,
        /range of a double/,
      );
      await assertRejected(owner.updateRobotPart({ id: part.id, name: '' }), Code.InvalidArgument);
      await assertRejected(owner.updateRobotPart({ id: 'absent', name: 'x' }), Code.NotFound);
      const { part: read } = await owner.getRobotPart({ id: part.id });
      assert.equal(read?.robotConfigJson, '{}');
    });

    it('reject a config that is too large to be read again, and return the largest', async function () {
      this.timeout(LARGE_CONFIG_MS);
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const zeros = (bytes: number): string =>
        `{"a":[${'0,'.repeat(Math.floor((bytes - 9) / 2))}0]}`;
      const update = (robotConfigJson: string): Promise<unknown> =>
        owner.updateRobotPart({ id: part.id, name: part.name, robotConfigJson });
      await assertRejected(
        update(zeros(MAX_CONFIG_BYTES + 3)),
        Code.InvalidArgument,
        /robot_config_json: must not be larger than 4 MiB/,
      );
      const largest = zeros(MAX_CONFIG_BYTES);
      await update(largest);
      assert.ok((await owner.getRobotPart({ id: part.id })).configJson === largest);
    });

    it('return histories from and to any time', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      await owner.updateRobotPart({ id: part.id, name: 'renamed' });
      const past = { seconds: -(2n ** 63n), nanos: 0 };
      const future = { seconds: 2n ** 63n - 1n, nanos: 999_999_999 };
      const edits = async (start: Timestamp, end: Timestamp): Promise<number> =>
        (await owner.getRobotPartHistory({ id: part.id, start, end })).history.length;
      assert.equal(await edits(create(TimestampSchema, past), create(TimestampSchema, future)), 1);
      assert.equal(await edits(create(TimestampSchema, future), create(TimestampSchema, past)), 0);
    });

    it('reject an update over a version that the caller has not seen, and change nothing', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { id, name } = part;
      assert.ok(part.lastUpdated);
      const { part: mine } = await owner.updateRobotPart({
        id,
        name,
        robotConfigJson: '{"rpm":100}',
        lastKnownUpdate: part.lastUpdated,
      });
      await assertRejected(
        owner.updateRobotPart({
          id,
          name,
          robotConfigJson: '{"rpm":200}',
          lastKnownUpdate: part.lastUpdated,
        }),
        Code.Aborted,
      );
      assert.equal((await owner.getRobotPart({ id })).configJson, '{"rpm":100}');
      assert.ok(mine?.lastUpdated);
      await owner.updateRobotPart({
        id,
        name,
        robotConfigJson: '{"rpm":300}',
        lastKnownUpdate: mine.lastUpdated,
      });
      await owner.updateRobotPart({ id, name, robotConfigJson: '{"rpm":400}' });
      assert.equal((await owner.getRobotPart({ id })).configJson, '{"rpm":400}');
    });

    it('reject an update with an invalid last known update, and compare with any other', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const update = (lastKnownUpdate: typeof FIRST_TIME): Promise<unknown> =>
        owner.updateRobotPart({ id: part.id, name: 'renamed', lastKnownUpdate });
      for (const time of NO_TIMES) {
        const rejection = /^last_known_update: .*years 1 to 9999/;
        await assertRejected(update(time), Code.InvalidArgument, rejection);
      }
      await assertRejected(update(FIRST_TIME), Code.Aborted);
      assert.equal((await owner.getRobotPart({ id: part.id })).part?.name, part.name);
      await update(LAST_TIME);
      assert.equal((await owner.getRobotPart({ id: part.id })).part?.name, 'renamed');
    });

    it('accept exactly one of many concurrent updates of one version', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { lastUpdated } = part;
      assert.ok(lastUpdated);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          owner.updateRobotPart({
            id: part.id,
            name: part.name,
            robotConfigJson: `{"writer":${String(index)}}`,
            lastKnownUpdate: lastUpdated,
          }),
        ),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await owner.getRobotPartHistory({ id: part.id })).history.length, 1);
    });

    it('store every version that concurrent writers overwrite', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const writers = Array.from({ length: 8 }, (_, index) => `{"writer":${String(index)}}`);
      await Promise.all(
        writers.map((robotConfigJson) =>
          owner.updateRobotPart({ id: part.id, name: part.name, robotConfigJson }),
        ),
      );
      const { history } = await owner.getRobotPartHistory({ id: part.id });
      const seen = history.map((entry) => entry.old?.robotConfigJson ?? '');
      const { configJson } = await owner.getRobotPart({ id: part.id });
      assert.deepEqual([...seen, configJson].sort(), ['{}', ...writers].sort());
    });

    it('record their versions, newest edit first, with time and editor', async () => {
      const { owner, clock, deployment } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      let earliest = 0;
      for (const version of [1, 2, 3]) {
        clock.advance(60_000);
        earliest = clock.now().getTime();
        await owner.updateRobotPart({
          id: part.id,
          name: `v${String(version)}`,
          robotConfigJson: `{"v":${String(version)}}`,
        });
      }
      const latest = clock.now().getTime();
      const { history, nextPageToken } = await owner.getRobotPartHistory({ id: part.id });
      assert.equal(nextPageToken, '');
      assert.deepEqual(
        history.map((entry) => [entry.old?.name, entry.old?.robotConfigJson]),
        [
          ['v2', '{"v":2}'],
          ['v1', '{"v":1}'],
          [part.name, '{}'],
        ],
      );
      const [newest] = history;
      assert.ok(newest?.when);
      const edited = timestampMs(newest.when);
      assert.ok(earliest <= edited && edited <= latest);
      assert.equal(newest.part, part.id);
      assert.equal(newest.robot, part.robot);
      assert.equal(newest.editedBy?.type, AuthenticationType.API_KEY);
      assert.equal(newest.editedBy.value, deployment.owner.apiKeyId);
      assert.deepEqual(newest.old?.secrets, []);
    });

    it('report whether the key of an editor was deleted', async () => {
      const { owner, deployment } = fleet();
      const { id: organizationId } = await newOrganization(owner);
      const { part } = await newMachine(owner, organizationId);
      const authorizations = [role('organization_owner', organizationId)];
      const key = await owner.createKey({ authorizations });
      const editor = await signIn(deployment, key);
      await editor.updateRobotPart({ id: part.id, name: 'v1' });
      await owner.updateRobotPart({ id: part.id, name: 'v2' });
      await owner.deleteKey({ id: key.id });
      const { history } = await owner.getRobotPartHistory({ id: part.id });
      assert.deepEqual(
        history.map(({ editedBy }) => [editedBy?.value, editedBy?.isDeactivated]),
        [
          [deployment.owner.apiKeyId, false],
          [key.id, true],
        ],
      );
    });

    it('return their history in pages', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      for (let version = 1; version <= 5; version++) {
        await owner.updateRobotPart({ id: part.id, name: `v${String(version)}` });
      }
      const seen: string[] = [];
      let pageToken = '';
      do {
        const page = await owner.getRobotPartHistory({ id: part.id, pageToken, pageLimit: 2n });
        seen.push(...page.history.map((entry) => entry.old?.name ?? ''));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      assert.deepEqual(seen, ['v4', 'v3', 'v2', 'v1', part.name]);
      await assertRejected(
        owner.getRobotPartHistory({ id: part.id, pageToken: 'nonsense' }),
        Code.InvalidArgument,
      );
      await assertRejected(
        owner.getRobotPartHistory({ id: part.id, pageLimit: -1n }),
        Code.InvalidArgument,
      );
      for (const time of INVALID_NANOS) {
        for (const field of ['start', 'end'] as const) {
          await assertRejected(
            owner.getRobotPartHistory({ id: part.id, [field]: time }),
            Code.InvalidArgument,
            new RegExp(`^${field}: nanos must be`),
          );
        }
      }
    });

    it('end a page of their history before it exceeds the size limit of a message', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const large = 'x'.repeat(3 * 1024 * 1024);
      for (let version = 1; version <= 5; version++) {
        const robotConfigJson = JSON.stringify({ version, large });
        await owner.updateRobotPart({ id: part.id, name: part.name, robotConfigJson });
      }
      const first = await owner.getRobotPartHistory({ id: part.id });
      assert.equal(first.history.length, 2);
      const rest = await owner.getRobotPartHistory({
        id: part.id,
        pageToken: first.nextPageToken,
      });
      assert.equal(first.history.length + rest.history.length, 5);
      assert.equal(rest.nextPageToken, '');
    });

    it('record nothing when an update changes nothing', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { part: same } = await owner.updateRobotPart({
        id: part.id,
        name: part.name,
        robotConfig: {},
      });
      assert.deepEqual(same?.lastUpdated, part.lastUpdated);
      assert.deepEqual((await owner.getRobotPartHistory({ id: part.id })).history, []);
    });

    it('include exactly one main part', async () => {
      const { owner } = fleet();
      const { machineId, part } = await newMachine(owner, (await newOrganization(owner)).id);
      const { partId } = await owner.newRobotPart({ robotId: machineId, partName: 'gripper' });
      const main = async (): Promise<string[]> =>
        (await owner.getRobotParts({ robotId: machineId })).parts
          .filter(({ mainPart }) => mainPart)
          .map(({ id }) => id);
      assert.deepEqual(await main(), [part.id]);
      await owner.markPartAsMain({ partId });
      assert.deepEqual(await main(), [partId]);
      await assertRejected(owner.deleteRobotPart({ partId }), Code.FailedPrecondition);
      await owner.deleteRobotPart({ partId: part.id });
      assert.deepEqual(
        (await owner.getRobotParts({ robotId: machineId })).parts.map(({ id }) => id),
        [partId],
      );
      await assertRejected(
        owner.newRobotPart({ robotId: machineId, partName: '' }),
        Code.InvalidArgument,
      );
      await assertRejected(owner.markPartAsMain({ partId: 'absent' }), Code.NotFound);
    });

    it('are hidden from others', async () => {
      const { owner } = fleet();
      const { part } = await newMachine(owner, (await newOrganization(owner)).id);
      const stranger = await newStranger(fleet());
      for (const id of [part.id, 'absent']) {
        await assertRejected(stranger.getRobotPart({ id }), Code.NotFound);
        await assertRejected(stranger.getRobotPartHistory({ id }), Code.NotFound);
        await assertRejected(stranger.updateRobotPart({ id, name: 'x' }), Code.NotFound);
        await assertRejected(stranger.deleteRobotPart({ partId: id }), Code.NotFound);
        await assertRejected(stranger.markPartForRestart({ partId: id }), Code.NotFound);
      }
    });
  });
}
