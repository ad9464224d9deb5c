import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { LongWork } from '../../../../src/base/longWork';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { openFleetService } from '../../../../src/service/fleetService';
import { startFleetServer } from '../../../../src/service/server/fleetServer';
import { silentLogger } from '../../../support/silentLogger';

/** Each step is a slice, however fast the machine is. */
const SLICE_MS = 0;
const TEST_MS = 60_000;
/** Without slices there is time for none, or for one that was under way. */
const MIN_CALLS = 3;
/** So that a config has hundreds of slices, of which a call of another client takes a few. */
const COMPONENTS = 200;

function makeConfig(variant: number): JsonObject {
  return {
    components: Array.from({ length: COMPONENTS }, (_, index) => ({
      name: `component-${index}`,
      attributes: { variant, zero: -0, texts: ['é', ''], limits: { min: 0.5, isOpen: true } },
      none: null,
    })),
  };
}

/** A config as it is read again: JSON text has no negative zero. */
function readAgain(config: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(config)) as JsonObject;
}

/** Counts the large works that run at a time. */
class CountingWork extends LongWork {
  mostLarge = 0;
  private large = 0;

  override runLarge<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return super.runLarge(signal, async () => {
      this.large += 1;
      this.mostLarge = Math.max(this.mostLarge, this.large);
      try {
        return await work();
      } finally {
        this.large -= 1;
      }
    });
  }
}

describe('large configs', function () {
  this.timeout(TEST_MS);
  const longWork = new CountingWork(SLICE_MS);
  let app: Client<typeof AppService>;
  let jsonApp: Client<typeof AppService>;
  let getApp: Client<typeof AppService>;
  let organizationId: string;
  let part: { id: string; name: string };
  let close: () => Promise<void>;

  before(async () => {
    const service = await openFleetService({ logger: silentLogger, longWork });
    const owner = await service.bootstrap();
    ({ organizationId } = owner);
    const { routes, interceptors, admit } = service;
    const server = await startFleetServer({
      ...{ host: '127.0.0.1', port: 0, logger: silentLogger },
      ...{ routes, interceptors, admit, longWork },
    });
    close = async () => {
      await server.close();
      await service.close();
    };
    let token = '';
    const bearer: Interceptor = (next) => (request) => {
      if (token !== '') request.header.set('authorization', `Bearer ${token}`);
      return next(request);
    };
    const options = { baseUrl: server.url, interceptors: [bearer] };
    const grpc: Transport = createGrpcTransport(options);
    const answer = await createClient(AuthService, grpc).authenticate({
      entity: owner.apiKeyId,
      credentials: { type: 'api-key', payload: owner.apiKey },
    });
    token = answer.accessToken;
    app = createClient(AppService, grpc);
    jsonApp = createClient(
      AppService,
      createConnectTransport({ ...options, httpVersion: '2', useBinaryFormat: false }),
    );
    getApp = createClient(
      AppService,
      createConnectTransport({
        ...{ ...options, httpVersion: '2', useBinaryFormat: false, useHttpGet: true },
      }),
    );
    const { location } = await app.createLocation({ organizationId, name: 'Location' });
    const robot = await app.newRobot({ name: 'Machine', location: location?.id ?? '' });
    const { parts } = await app.getRobotParts({ robotId: robot.id });
    part = { id: parts[0]?.id ?? '', name: parts[0]?.name ?? '' };
  });
  after(() => close());

  /** Calls the service over and over until some work is done, and counts the answers. */
  async function countCalls(work: Promise<unknown>): Promise<number> {
    const state = { isDone: false };
    const done = work.finally(() => (state.isDone = true));
    let count = 0;
    for (; !state.isDone; count += 1) await app.listOrganizations({});
    await done;
    return count;
  }

  it('let other calls be answered while they are saved as Structs', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const count = await countCalls(app.updateRobotPart({ ...part, robotConfig: makeConfig(1) }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('let other calls be answered while they are saved as text', async () => {
    const robotConfigJson = JSON.stringify(makeConfig(2));
    const count = await countCalls(app.updateRobotPart({ ...part, robotConfigJson }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('let other calls be answered while they are read', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const count = await countCalls(app.getRobotPart({ id: part.id }));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  it('are read two at a time, however many callers there are', async () => {
    await app.updateRobotPart({ ...part, robotConfig: makeConfig(0) });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.getRobotPart({ id: part.id })),
    );
    for (const { part: read } of answers) {
      assert.deepEqual(read?.robotConfig, readAgain(makeConfig(0)));
    }
    assert.ok(longWork.mostLarge <= 2, `${longWork.mostLarge} at a time`);
    assert.ok(longWork.mostLarge > 0);
  });

  it('let other calls be answered while they are saved as fragments', async () => {
    const { fragment } = await app.createFragment({ name: 'Fragment', organizationId });
    const update = { id: fragment?.id ?? '', name: 'Fragment', config: makeConfig(0) };
    const count = await countCalls(app.updateFragment(update));
    assert.ok(count > MIN_CALLS, `${count} calls`);
  });

  for (const [form, client] of [
    ['binary', () => app],
    ['JSON', () => jsonApp],
    ['JSON for HTTP GET', () => getApp],
  ] as const) {
    it(`are answered as they were saved, as ${form}`, async () => {
      const config = makeConfig(3);
      const text = JSON.stringify(readAgain(config), undefined, 2);
      const { part: updated } = await client().updateRobotPart({ ...part, robotConfig: config });
      const { part: read, configJson } = await client().getRobotPart({ id: part.id });
      // The keys keep the order that they had before.
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
    });
  }

  it('keep their text byte for byte, and answer the Struct of it', async () => {
    const robotConfigJson = ` ${JSON.stringify(makeConfig(5))}\n`.replace('"zero":0', '"zero":-0');
    const { part: updated } = await app.updateRobotPart({ ...part, robotConfigJson });
    assert.equal(updated?.robotConfigJson, robotConfigJson);
    assert.deepEqual(updated.robotConfig, JSON.parse(robotConfigJson));
  });
});
