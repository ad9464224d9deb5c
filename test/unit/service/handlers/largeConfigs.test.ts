import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { LongWork } from '../../../../src/base/longWork';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { FragmentVisibility } from '../../../../src/gen/viam/app/v1/fragment_pb';
import type { GetRobotPartResponse } from '../../../../src/gen/viam/app/v1/machine_pb';
import { RobotService } from '../../../../src/gen/viam/app/v1/robot_pb';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { openFleetService } from '../../../../src/service/fleetService';
import {
  DocumentWork,
  type LargeCall,
  type RunSteps,
} from '../../../../src/service/server/documentWork';
import { startFleetServer } from '../../../../src/service/server/fleetServer';
import { silentLogger } from '../../../support/silentLogger';

/** Duration that makes each step a separate slice, regardless of the computer's speed. */
const SLICE_MS = 0;
const TEST_MS = 60_000;
/** Without slices, there would be time for at most one call that was already in progress. */
const MIN_CALLS = 3;
/**
 * Number of components that is enough for hundreds of slices; a call of another client takes only a
 * few.
 */
const COMPONENTS = 70;
const TEXT = 'x'.repeat(200);
const HOSTILE_CALLS = 50;
const HOSTILE_KEYS = 10;

function makeConfig(variant: number): JsonObject {
  return {
    components: Array.from({ length: COMPONENTS }, (_, index) => ({
      name: `component-${index}`,
      attributes: { variant, zero: -0, texts: ['é', '', TEXT], limits: { min: 0.5, isOpen: true } },
      none: null,
    })),
  };
}

/** Returns a config as it is after a round trip through JSON text, which has no negative zero. */
function readAgain(config: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(config)) as JsonObject;
}

/** Counts the large pieces of work that run, and those that run concurrently. */
class CountingWork extends DocumentWork {
  maxConcurrentLarge = 0;
  largeCount = 0;
  private large = 0;

  override runLarge<T>(call: LargeCall, work: (run: RunSteps) => Promise<T>): Promise<T> {
    return super.runLarge(call, async (run) => {
      this.large += 1;
      this.largeCount += 1;
      this.maxConcurrentLarge = Math.max(this.maxConcurrentLarge, this.large);
      try {
        return await work(run);
      } finally {
        this.large -= 1;
      }
    });
  }
}

describe('large configs', function () {
  this.timeout(TEST_MS);
  const documentWork = new CountingWork({ sliceMs: SLICE_MS, getRestMs: () => 0 });
  let app: Client<typeof AppService>;
  let jsonApp: Client<typeof AppService>;
  let getApp: Client<typeof AppService>;
  /** Client of another caller. */
  let otherApp: Client<typeof AppService>;
  let organizationId: string;
  let locationId: string;
  let part: { id: string; name: string };
  let signIn: (entity: string, type: string, payload: string) => Promise<Interceptor>;
  let url: string;
  let close: () => Promise<void>;

  before(async () => {
    const service = await openFleetService({ logger: silentLogger, documentWork });
    const owner = await service.bootstrap();
    ({ organizationId } = owner);
    const { routes, interceptors, admit } = service;
    const server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      logger: silentLogger,
      routes,
      interceptors,
      admit,
      longWork: new LongWork({ sliceMs: SLICE_MS }),
    });
    close = async () => {
      await server.close();
      await service.close();
    };
    ({ url } = server);
    signIn = async (entity, type, payload) => {
      const transport = createGrpcTransport({ baseUrl: url });
      const { accessToken } = await createClient(AuthService, transport).authenticate({
        entity,
        credentials: { type, payload },
      });
      return (next) => (request) => {
        request.header.set('authorization', `Bearer ${accessToken}`);
        return next(request);
      };
    };
    const bearer = await signIn(owner.apiKeyId, 'api-key', owner.apiKey);
    const options = { baseUrl: server.url, interceptors: [bearer] };
    app = createClient(AppService, createGrpcTransport(options));
    otherApp = await connectWithNewKey(organizationId);
    jsonApp = createClient(
      AppService,
      createConnectTransport({ ...options, httpVersion: '2', useBinaryFormat: false }),
    );
    getApp = createClient(
      AppService,
      createConnectTransport({
        ...options,
        httpVersion: '2',
        useBinaryFormat: false,
        useHttpGet: true,
      }),
    );
    const { location } = await app.createLocation({ organizationId, name: 'Location' });
    locationId = location?.id ?? '';
    ({ part } = await createMachine('Machine'));
  });
  after(() => close());

  /** Returns a client with a new key of an organization's owner. */
  async function connectWithNewKey(owned: string): Promise<Client<typeof AppService>> {
    const { id, key } = await app.createKey({
      name: 'Other',
      authorizations: [
        {
          authorizationType: 'role',
          authorizationId: 'organization_owner',
          resourceType: 'organization',
          resourceId: owned,
          organizationId: owned,
          identityType: 'api-key',
          identityId: '',
        },
      ],
    });
    const interceptors = [await signIn(id, 'api-key', key)];
    return createClient(AppService, createGrpcTransport({ baseUrl: url, interceptors }));
  }

  interface NewMachine {
    readonly machineId: string;
    readonly part: { id: string; name: string };
    readonly secret: string;
  }

  async function createMachine(name: string): Promise<NewMachine> {
    const { id: machineId } = await app.newRobot({ name, location: locationId });
    const { parts } = await app.getRobotParts({ robotId: machineId });
    const { id = '', secrets = [] } = parts[0] ?? {};
    const secret = secrets[0]?.secret ?? '';
    return { machineId, part: { id, name: parts[0]?.name ?? '' }, secret };
  }

  /** Returns a client with the permissions of a machine's software. */
  async function createSoftware({
    part: { id },
    secret,
  }: NewMachine): Promise<Client<typeof RobotService>> {
    const interceptors = [await signIn(id, 'robot-secret', secret)];
    return createClient(RobotService, createGrpcTransport({ baseUrl: url, interceptors }));
  }

  async function createFragment(name: string, config: JsonObject): Promise<string> {
    const { fragment } = await app.createFragment({ name, organizationId, config });
    return fragment?.id ?? '';
  }

  /** Runs calls one after the other, and returns how many large pieces of work they needed. */
  async function countLarge(...calls: readonly (() => Promise<unknown>)[]): Promise<number> {
    documentWork.largeCount = 0;
    for (const call of calls) await call();
    return documentWork.largeCount;
  }

  /** Requests all fragments of the organization. */
  function list() {
    return { organizationId, fragmentVisibility: [FragmentVisibility.PRIVATE] };
  }

  /**
   * Calls the service repeatedly until a piece of work is done; returns the number of responses.
   */
  async function countCalls(work: Promise<unknown>): Promise<number> {
    const state = { isDone: false };
    const done = work.finally(() => (state.isDone = true));
    let count = 0;
    for (; !state.isDone; count += 1) await app.listOrganizations({});
    await done;
    return count;
  }

  it('do not block other calls while they are saved as Structs', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const count = await countCalls(app.updateRobotPart({ ...part, robotConfig: makeConfig(1) }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('do not block other calls while they are saved as text', async () => {
    const robotConfigJson = JSON.stringify(makeConfig(2));
    const count = await countCalls(app.updateRobotPart({ ...part, robotConfigJson }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('do not block other calls while they are read', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const count = await countCalls(app.getRobotPart({ id: part.id }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('are read two at a time, one per caller', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    documentWork.maxConcurrentLarge = 0;
    const read = (caller: Client<typeof AppService>): Promise<GetRobotPartResponse[]> =>
      Promise.all(Array.from({ length: 6 }, () => caller.getRobotPart({ id: part.id })));
    const own = await read(app);
    assert.equal(documentWork.maxConcurrentLarge, 1);
    const answers = await Promise.all([read(app), read(otherApp)]);
    assert.equal(documentWork.maxConcurrentLarge, 2);
    for (const answer of [...own, ...answers.flat()]) {
      assert.deepEqual(answer.part?.robotConfig, readAgain(makeConfig(0)));
    }
  });

  it('of one caller do not delay those of another', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    let count = 0;
    const hostile = Array.from({ length: HOSTILE_CALLS }, async () => {
      await app.getRobotPart({ id: part.id });
      count += 1;
    });
    await hostile[0];
    await otherApp.getRobotPart({ id: part.id });
    assert.ok(count < HOSTILE_CALLS / 2, `${count} of ${HOSTILE_CALLS}`);
    await Promise.all(hostile);
  });

  it('of many keys of one organization do not delay those of another organization', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const { organization } = await app.createOrganization({ name: 'Other' });
    const { fragment } = await app.createFragment({
      name: 'Other',
      organizationId: organization?.id ?? '',
      config: makeConfig(0),
    });
    const other = await connectWithNewKey(organization?.id ?? '');
    const keys = Array.from({ length: HOSTILE_KEYS }, () => connectWithNewKey(organizationId));
    const clients = await Promise.all(keys);
    let count = 0;
    const hostile = Array.from({ length: HOSTILE_CALLS }, async (_, index) => {
      await clients[index % HOSTILE_KEYS]?.getRobotPart({ id: part.id });
      count += 1;
    });
    await Promise.race(hostile);
    await other.getFragment({ id: fragment?.id ?? '' });
    assert.ok(count < HOSTILE_CALLS / 2, `${count} of ${HOSTILE_CALLS}`);
    await Promise.all(hostile);
  });

  it('do not block other calls while they are saved as fragments', async () => {
    const { fragment } = await app.createFragment({ name: 'Fragment', organizationId });
    const update = { id: fragment?.id ?? '', name: 'Fragment', config: makeConfig(0) };
    const count = await countCalls(app.updateFragment(update));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('do not block other calls while their histories are read', async () => {
    for (const variant of [0, 1, 2]) {
      await app.updateRobotPart({ ...part, robotConfig: makeConfig(variant) });
    }
    assert.ok((await countCalls(app.getRobotPartHistory({ id: part.id }))) > MIN_CALLS);
    const { fragment } = await app.createFragment({ name: 'History', organizationId });
    const update = { id: fragment?.id ?? '', name: 'History' };
    for (const variant of [0, 1]) {
      await app.updateFragment({ ...update, config: makeConfig(variant) });
    }
    assert.ok((await countCalls(app.getFragmentHistory({ id: update.id }))) > MIN_CALLS);
    assert.ok((await countCalls(app.listFragments(list()))) > MIN_CALLS);
  });

  it('of small size take no slot when their histories and fragments are read', async () => {
    const machine = await createMachine('Small');
    const id = await createFragment('Small', { components: [] });
    await app.updateFragment({ id, name: 'Small', config: { services: [] } });
    const robotConfig = { fragments: [{ id }] };
    await app.updateRobotPart({ ...machine.part, robotConfig });
    const count = await countLarge(
      () => app.getRobotPartHistory({ id: machine.part.id }),
      () => app.getFragmentHistory({ id }),
      () => app.getFragment({ id }),
      () => app.listMachineFragments({ machineId: machine.machineId }),
    );
    assert.equal(count, 0);
  });

  it('of large size take a slot when their histories are read', async () => {
    const machine = await createMachine('Large');
    const id = await createFragment('Large', makeConfig(0));
    await app.updateFragment({ id, name: 'Large', config: {} });
    await app.updateRobotPart({ ...machine.part, robotConfig: makeConfig(0) });
    await app.updateRobotPart({ ...machine.part, robotConfig: {} });
    const count = await countLarge(
      () => app.getRobotPartHistory({ id: machine.part.id }),
      () => app.getFragmentHistory({ id }),
    );
    assert.equal(count, 2);
  });

  it('in the fragments of a small config take a slot', async () => {
    const machine = await createMachine('With Fragments');
    const software = await createSoftware(machine);
    const inner = await createFragment('Inner', makeConfig(0));
    const outer = await createFragment('Outer', { fragments: [{ id: inner }] });
    await app.updateRobotPart({
      ...machine.part,
      robotConfig: { fragments: [{ id: outer }] },
    });
    const { id } = machine.part;
    assert.equal(await countLarge(() => software.config({ id })), 1);
    const { config } = await software.config({ id });
    assert.equal(config?.components.length, COMPONENTS);
    const { machineId } = machine;
    assert.equal(await countLarge(() => app.listMachineFragments({ machineId })), 1);

    // An earlier revision can be larger than the current one.
    const { revisions } = await app.getFragment({ id: inner });
    const version = revisions[0]?.revision ?? '';
    await app.updateFragment({ id: inner, name: 'Inner', config: {} });
    assert.equal(await countLarge(() => software.config({ id })), 0);
    const pinned = { fragments: [{ id: inner, version }] };
    await app.updateFragment({ id: outer, name: 'Outer', config: pinned });
    assert.equal(await countLarge(() => software.config({ id })), 1);
  });

  it('do not block other calls while they are saved and read as metadata', async () => {
    const id = part.id;
    const data = makeConfig(0);
    assert.ok((await countCalls(app.updateRobotPartMetadata({ id, data }))) > MIN_CALLS);
    assert.ok((await countCalls(app.getRobotPartMetadata({ id }))) > MIN_CALLS);
  });

  for (const [form, client] of [
    ['binary', () => app],
    ['JSON', () => jsonApp],
    ['JSON for HTTP GET', () => getApp],
  ] as const) {
    it(`are returned as saved, as ${form}`, async () => {
      const config = makeConfig(3);
      const text = JSON.stringify(readAgain(config), undefined, 2);
      const { part: updated } = await client().updateRobotPart({ ...part, robotConfig: config });
      const { part: read, configJson } = await client().getRobotPart({ id: part.id });
      // The keys must keep their previous order.
      assert.deepEqual(JSON.parse(updated?.robotConfigJson ?? ''), JSON.parse(text));
      assert.equal(configJson, updated?.robotConfigJson);
      assert.deepEqual(updated?.robotConfig, readAgain(config));
      assert.deepEqual(read, updated);

      const { fragment } = await client().createFragment({ name: form, organizationId, config });
      const id = fragment?.id ?? '';
      assert.deepEqual(fragment?.fragment, readAgain(config));
      const next = { id, name: form, config: makeConfig(4) };
      const { fragment: changed } = await client().updateFragment(next);
      assert.deepEqual(changed?.fragment, readAgain(makeConfig(4)));
      assert.deepEqual((await client().getFragment({ id })).fragment, changed);

      const [edit] = (await client().getRobotPartHistory({ id: part.id })).history;
      assert.notEqual(edit?.old?.robotConfig, undefined);
      assert.deepEqual(edit?.old?.robotConfig, JSON.parse(edit?.old?.robotConfigJson ?? ''));
      const [revision] = (await client().getFragmentHistory({ id })).history;
      assert.deepEqual(revision?.config, readAgain(config));
      assert.deepEqual(revision.old?.fragment, readAgain(config));
      const { fragments } = await client().listFragments(list());
      assert.deepEqual(
        fragments.find((listed) => listed.id === id),
        changed,
      );
      const metadata = { id: part.id, data: config };
      await client().updateRobotPartMetadata(metadata);
      const { data } = await client().getRobotPartMetadata({ id: part.id });
      assert.deepEqual(data, readAgain(config));
    });
  }

  it('preserve their text byte for byte, and return it as a Struct', async () => {
    const robotConfigJson = ` ${JSON.stringify(makeConfig(5))}\n`.replace('"zero":0', '"zero":-0');
    const { part: updated } = await app.updateRobotPart({ ...part, robotConfigJson });
    assert.equal(updated?.robotConfigJson, robotConfigJson);
    assert.deepEqual(updated.robotConfig, JSON.parse(robotConfigJson));
  });
});
