import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { grpcOpener } from '../../../../src/core/api/grpcOpener';
import {
  type ApiKey,
  type Connection,
  toConnectionId,
} from '../../../../src/core/model/connection';
import { ConnectionStore } from '../../../../src/core/sessions/connectionStore';
import { FleetSession } from '../../../../src/core/sessions/fleetSession';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { MemoryKeyValue, MemorySecrets } from '../../../support/memoryPorts';
import { silentLogger } from '../../../support/silentLogger';

const KEY_ID = '6b0b3a6e-3d5c-4c11-9a54-0c4a3c2f5b11';

/** Secret storage whose reads can be delayed, as in a slow keychain. */
class SlowSecrets extends MemorySecrets {
  delay: Promise<unknown> = Promise.resolve();

  override async get(key: string): Promise<string | undefined> {
    await this.delay;
    return super.get(key);
  }
}

/** Real gRPC server that records the secrets and tokens that it receives. */
class RecordingServer {
  readonly secrets: string[] = [];
  readonly tokens: string[] = [];
  /** Called for each list of organizations, before the response. */
  beforeList: () => Promise<unknown> = () => Promise.resolve();

  private constructor(
    private readonly server: Http2Server,
    private readonly sockets: Set<ServerHttp2Session>,
  ) {}

  static async start(): Promise<RecordingServer> {
    const sockets = new Set<ServerHttp2Session>();
    const handler = connectNodeAdapter({
      routes: (router) => {
        router.service(AuthService, {
          authenticate: ({ credentials }) => {
            const secret = credentials?.payload ?? '';
            recording.secrets.push(secret);
            return { accessToken: `token of ${secret}` };
          },
        });
        router.service(AppService, {
          listOrganizations: async (_, { requestHeader }) => {
            recording.tokens.push(requestHeader.get('authorization') ?? '');
            await recording.beforeList();
            return { organizations: [{ id: 'org', name: 'Acme' }] };
          },
        });
      },
    });
    const server = createServer(handler);
    server.on('session', (session) => {
      sockets.add(session);
      session.once('close', () => sockets.delete(session));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const recording = new RecordingServer(server, sockets);
    return recording;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    for (const session of this.sockets) session.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('a connection that is closed while a call is running', () => {
  let first: RecordingServer;
  let second: RecordingServer;

  beforeEach(async () => {
    first = await RecordingServer.start();
    second = await RecordingServer.start();
  });

  afterEach(async () => {
    await first.stop();
    await second.stop();
  });

  const open = grpcOpener(silentLogger, () => []);

  function connectionTo({ url }: RecordingServer): Connection {
    const id = toConnectionId(KEY_ID);
    return { id, label: 'Test', baseUrl: url, keyId: KEY_ID, kind: 'cloud' };
  }

  it('is not repeated with the token after a sign-out', async () => {
    const key: ApiKey = { id: KEY_ID, secret: 'secret' };
    const session = new FleetSession(connectionTo(first), open, () => Promise.resolve(key));
    const { promise: listed, resolve: onList } = Promise.withResolvers<undefined>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    first.beforeList = () => {
      onList(undefined);
      return answered;
    };
    const list = session.stores.organizations.list();
    await listed;
    session.signOut();
    answer(undefined);
    await assert.rejects(list, { kind: 'unauthenticated', action: 'signIn' });
    assert.deepEqual(first.tokens, ['Bearer token of secret']);
    session.dispose();
  });

  it('never sends the new key to the old address', async () => {
    const secrets = new SlowSecrets();
    const store = new ConnectionStore({
      secrets,
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open,
      logger: silentLogger,
    });
    const request = { label: 'Test', keyId: KEY_ID, kind: 'cloud' } as const;
    const { id } = await store.remember({ ...request, baseUrl: first.url, key: 'old key' });
    const { promise, resolve: release } = Promise.withResolvers<undefined>();
    secrets.delay = promise;
    const list = store.stores(id).organizations.list();
    await new Promise(setImmediate);
    await store.remember({ ...request, baseUrl: second.url, key: 'new key' });
    release(undefined);
    assert.equal((await list).length, 1);
    assert.ok(!first.secrets.includes('new key'), first.secrets.join());
    assert.deepEqual([...new Set(second.secrets)], ['new key']);
    assert.ok(second.tokens.length > 0);
    store.dispose();
  });

  it('does not send a key that another window has stored for another address', async () => {
    const secrets = new MemorySecrets();
    const global = new MemoryKeyValue();
    const store = new ConnectionStore({
      secrets,
      global,
      workspace: new MemoryKeyValue(),
      open,
      logger: silentLogger,
    });
    const request = { label: 'Test', keyId: KEY_ID, kind: 'cloud' } as const;
    const { id } = await store.signIn({ ...request, baseUrl: first.url, key: 'old key' });
    // The event for this change has not arrived yet.
    const record = { ...request, baseUrl: second.url, key: 'new key' };
    secrets.get = () => Promise.resolve(JSON.stringify(record));
    await assert.rejects(store.stores(id).organizations.list(), { kind: 'unavailable' });
    assert.deepEqual(first.secrets, []);
    store.dispose();
  });
});
