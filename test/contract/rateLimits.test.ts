import assert from 'node:assert/strict';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { RequestInfoSchema, RetryInfoSchema } from '../../src/gen/google/rpc/error_details_pb';
import { Health } from '../../src/gen/grpc/health/v1/health_pb';
import { http1Request } from '../support/rawHttp';
import { TestClock } from '../support/testClock';
import {
  appClient,
  authClient,
  type Deployment,
  type Protocol,
  signInAsOwner,
  startHttpDeployment,
} from './deployment';

type Options = [options?: Parameters<typeof http1Request>[1]];
type Answer = Awaited<ReturnType<typeof http1Request>>;

/** More calls than a limit of one per second allows, even on a slow computer. */
const MAX_CALLS = 1_000;

/**
 * Repeats a call until it is rejected because there were too many.
 * @param accepted code of the errors with which the call fails before
 */
async function callUntilLimited(
  call: () => Promise<unknown>,
  accepted?: Code,
): Promise<ConnectError> {
  for (let count = 0; count < MAX_CALLS; count += 1) {
    try {
      await call();
    } catch (reason) {
      const error = ConnectError.from(reason);
      if (error.code === Code.ResourceExhausted) return error;
      if (error.code !== accepted) throw error;
    }
  }
  return assert.fail(`no limit after ${MAX_CALLS} calls`);
}

/** Repeats a request until it is rejected because there were too many. */
async function requestUntilLimited(url: string, ...rest: Options): Promise<Answer> {
  for (let count = 0; count < MAX_CALLS; count += 1) {
    const answer = await http1Request(url, ...rest);
    if (answer.status === 429) return answer;
  }
  return assert.fail(`no limit after ${MAX_CALLS} requests`);
}

function assertRetryHint(error: ConnectError, maxSeconds: number): void {
  const { retryDelay } = error.findDetails(RetryInfoSchema)[0] ?? {};
  const seconds = Number(retryDelay?.seconds) + (retryDelay?.nanos ?? 0) / 1e9;
  assert.ok(seconds > 0 && seconds <= maxSeconds, String(seconds));
  const { requestId } = error.findDetails(RequestInfoSchema)[0] ?? {};
  assert.equal(requestId, error.metadata.get('x-request-id'));
}

for (const protocol of ['gRPC', 'gRPC-web', 'Connect'] satisfies Protocol[]) {
  describe(`limits on calls over ${protocol}`, () => {
    let deployment: Deployment | undefined;

    afterEach(async () => {
      await deployment?.stop();
    });

    async function start(perKey?: number, perAddress?: number): Promise<Deployment> {
      const rateLimits = { perKey, perAddress };
      deployment = await startHttpDeployment(new TestClock(), protocol, {}, { rateLimits });
      return deployment;
    }

    it('reject a key with too many calls, with a retry delay, and no other key', async () => {
      const limited = await start(1);
      const owner = await signInAsOwner(limited);
      const { organizationId } = limited.owner;
      const other = await owner.createKey({
        authorizations: [
          {
            authorizationType: 'role',
            authorizationId: 'organization_owner',
            resourceType: 'organization',
            resourceId: organizationId,
            organizationId,
          },
        ],
      });
      const error = await callUntilLimited(() => owner.getOrganization({ organizationId }));
      assert.match(
        error.rawMessage,
        /^too many calls with these credentials: make at most 1 per second/,
      );
      assertRetryHint(error, 1);
      const { accessToken } = await authClient(limited).authenticate({
        entity: other.id,
        credentials: { type: 'api-key', payload: other.key },
      });
      await appClient(limited, accessToken).getOrganization({ organizationId });
    });

    it('reject an address with too many calls, but respond to its health checks', async () => {
      const limited = await start(undefined, 1);
      const client = appClient(limited);
      const list = (): Promise<unknown> => client.listOrganizations({});
      const error = await callUntilLimited(list, Code.Unauthenticated);
      assert.match(error.rawMessage, /^too many calls from this address/);
      assertRetryHint(error, 1);
      const health = createClient(Health, limited.transport([]));
      for (let call = 0; call < 20; call += 1) await health.check({});
      const headers = { 'content-type': 'application/json' };
      const path = '/viam.app.v1.AppService/ListOrganizations';
      await requestUntilLimited(limited.url + path, { method: 'POST', headers, body: '{}' });
    });

    it('reject plain requests and unknown methods, but no probes, and say when to retry', async () => {
      const limited = await start(undefined, 1);
      const list = (): Promise<unknown> => appClient(limited).listOrganizations({});
      await callUntilLimited(list, Code.Unauthenticated);
      for (const path of ['/binary-data/none', '/sign-in', '/none']) {
        const answer = await requestUntilLimited(limited.url + path);
        assert.equal(answer.headers['retry-after'], '1');
        assert.match(answer.body, /too many calls from this address/);
      }
      for (let probe = 0; probe < 20; probe += 1) {
        assert.equal((await http1Request(`${limited.url}/readyz`)).status, 200);
      }
    });

    it('reject downloads with a key that makes too many', async () => {
      const limited = await start(1);
      const { apiKeyId: key_id, apiKey: key } = limited.owner;
      const url = `${limited.url}/binary-data/none`;
      assert.equal((await http1Request(url, { headers: { key_id, key } })).status, 404);
      const answer = await requestUntilLimited(url, { headers: { key_id, key } });
      assert.equal(answer.headers['retry-after'], '1');
    });

    it('reject sign-ins that repeatedly fail with one key ID, with a retry delay', async () => {
      deployment = await startHttpDeployment(new TestClock(), protocol, { maxFailedSignIns: 1 });
      const client = authClient(deployment);
      const credentials = { type: 'api-key', payload: 'wrong' };
      const closing = new AbortController();
      const { signal } = closing;
      const attempt = async (): Promise<ConnectError> => {
        const error = await client.authenticate({ entity: 'nobody', credentials }, { signal }).then(
          () => assert.fail('the key is wrong'),
          (reason: unknown) => ConnectError.from(reason),
        );
        if (error.code === Code.ResourceExhausted) return error;
        throw error;
      };
      // Only a limited number of attempts waits for its turn. The others are rejected immediately.
      const rejected = await Promise.any(Array.from({ length: 20 }, attempt));
      closing.abort();
      assertRetryHint(rejected, 60);
      const { apiKeyId: entity, apiKey: payload } = deployment.owner;
      await client.authenticate({ entity, credentials: { type: 'api-key', payload } });
    });
  });
}
