import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { RecordingLogger } from '../support/recordingLogger';
import { http1Request, openSocket } from '../support/rawHttp';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { authClient, type Deployment, startHttpDeployment } from './deployment';

const PATH = '/viam.app.v1.AppService/ListOrganizations';
const BURST = 10;

describe('the address of a client', () => {
  let deployment: Deployment | undefined;

  afterEach(async () => {
    await deployment?.stop();
    deployment = undefined;
  });

  const start = async (
    ...options: Parameters<typeof startHttpDeployment> extends [unknown, unknown, ...infer Rest]
      ? Rest
      : never
  ): Promise<Deployment> => {
    deployment = await startHttpDeployment(new TestClock(), 'gRPC', ...options);
    return deployment;
  };

  const call = async (forwarded: string): Promise<number> => {
    const { status } = await http1Request(`${deployment?.url}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      body: '{}',
    });
    return status;
  };

  /** Makes all calls of a burst for an address, and then one that is rejected. */
  const exhaust = async (forwarded: string): Promise<void> => {
    let status = 0;
    for (let count = 0; status !== 429; count += 1) {
      assert.ok(count < 100 * BURST, forwarded);
      status = await call(forwarded);
    }
  };

  it('is the one that a trusted proxy states, for the limit on calls', async () => {
    const rateLimits = { perKey: undefined, perAddress: 1 };
    await start({}, { rateLimits, trustedProxies: ['127.0.0.0/8'] });
    await exhaust('198.51.100.1');
    assert.equal(await call('198.51.100.2'), 401);
    // A client can state any address to the proxy, which appends the actual one.
    assert.equal(await call('198.51.100.2, 198.51.100.1'), 429);
    assert.equal(await call('203.0.113.1, 127.0.0.1, 198.51.100.1'), 429);
  });

  it('can not be stated by a client that is not a trusted proxy', async () => {
    const rateLimits = { perKey: undefined, perAddress: 1 };
    await start({}, { rateLimits, trustedProxies: ['10.0.0.0/8'] });
    await exhaust('198.51.100.1');
    assert.equal(await call('198.51.100.2'), 429);
    assert.equal(await call('10.0.0.1'), 429);
  });

  it('counts for failed sign-ins, and is in the log', async () => {
    const logger = new RecordingLogger();
    await start({ maxFailedSignIns: 1, logger }, { trustedProxies: ['127.0.0.1'], logger });
    const signIn = async (forwarded: string, payload: string, entity: string) =>
      authClient(deployment ?? assert.fail()).authenticate(
        { entity, credentials: { type: 'api-key', payload } },
        { headers: { 'x-forwarded-for': forwarded } },
      );
    const isRejected = (error: unknown) => ConnectError.from(error).code === Code.ResourceExhausted;
    const attempts = Array.from({ length: 20 }, async () =>
      signIn('198.51.100.1', 'wrong', 'nobody').then(
        () => assert.fail('the key is wrong'),
        isRejected,
      ),
    );
    await Promise.any(
      attempts.map(async (attempt) => (await attempt) || Promise.reject(new Error('not rejected'))),
    );
    const { apiKeyId, apiKey } = deployment?.owner ?? assert.fail();
    await signIn('198.51.100.2', apiKey, apiKeyId);
    const ofSignIn = ({ message, fields }: (typeof logger.lines)[number]) =>
      message === 'call' && fields.address === '198.51.100.2' && fields.code === 'Ok';
    await waitUntil(() => logger.lines.some(ofSignIn));
  });

  it('is not the proxy’s for the limit on connections, which only applies in total', async () => {
    const connectionLimits = { total: 4, perAddress: 1 };
    const { url } = await start({}, { connectionLimits, trustedProxies: ['127.0.0.1'] });
    const sockets = [await openSocket(url), await openSocket(url)];
    try {
      assert.equal((await http1Request(`${url}/healthz`)).status, 200);
      sockets.push(await openSocket(url), await openSocket(url));
      await assert.rejects(http1Request(`${url}/healthz`));
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
