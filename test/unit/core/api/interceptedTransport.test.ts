import assert from 'node:assert/strict';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  createClient,
  createRouterTransport,
  type Interceptor,
  type ServiceImpl,
} from '@connectrpc/connect';
import type { ApiKey } from '../../../../src/core/model/connection';
import { FleetError } from '../../../../src/core/api/errors';
import {
  createInterceptedTransport,
  type InterceptedTransport,
} from '../../../../src/core/api/interceptedTransport';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { connectedTransport } from '../../../support/connectedTransport';
import { silentLogger } from '../../../support/silentLogger';
import { TestClock } from '../../../support/testClock';

const KEY: ApiKey = { id: '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a', secret: 'canary-secret' };

interface Service {
  readonly app: Partial<ServiceImpl<typeof AppService>>;
  readonly authenticate?: () => string;
}

interface Opened extends InterceptedTransport {
  /** Bearer tokens in order of arrival. */
  readonly bearers: (string | null)[];
  readonly waits: number[];
  readonly logLines: string[];
  exchanges: number;
}

function open({ app, authenticate }: Service): Opened {
  const bearers: (string | null)[] = [];
  const waits: number[] = [];
  const logLines: string[] = [];
  const record = (message: string, fields?: object): void => {
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const opened = { bearers, waits, logLines, exchanges: 0 };
  const noteBearer: Interceptor = (next) => (request) => {
    if (request.method.name !== 'Authenticate') bearers.push(request.header.get('authorization'));
    return next(request);
  };
  const fleet = createInterceptedTransport({
    baseUrl: 'http://127.0.0.1:1',
    openWire: (interceptors) =>
      createRouterTransport(
        (router) => {
          router.service(AuthService, {
            authenticate: () => {
              opened.exchanges += 1;
              return { accessToken: authenticate?.() ?? `token-${opened.exchanges}` };
            },
          });
          router.service(AppService, app);
        },
        { transport: { interceptors: [...interceptors, noteBearer] } },
      ),
    readKey: () => Promise.resolve(KEY),
    logger: { ...silentLogger, debug: record, warn: record, info: record, error: record },
    clock: new TestClock(),
    sleep: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    random: () => 0.5,
  });
  return Object.assign(opened, fleet, { transport: connectedTransport(fleet.transport) });
}

function rejectsWith(kind: string, text?: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof FleetError, String(error));
    assert.equal(error.kind, kind, error.message);
    if (text) assert.match(error.message, text);
    return true;
  };
}

describe('createInterceptedTransport', () => {
  it('exchanges the key once for all calls and sends the bearer token with each', async () => {
    const fleet = open({ app: { listOrganizations: () => ({}) } });
    const client = createClient(AppService, fleet.transport);
    await Promise.all([client.listOrganizations({}), client.listOrganizations({})]);
    await client.listOrganizations({});
    assert.equal(fleet.exchanges, 1);
    assert.deepEqual(fleet.bearers, Array(3).fill('Bearer token-1'));
  });

  it('renews a rejected token once for all rejected calls and repeats each once', async () => {
    const valid = new Set(['Bearer token-1']);
    const fleet = open({
      app: {
        newRobot: (_, { requestHeader }) => {
          const bearer = requestHeader.get('authorization') ?? '';
          if (!valid.has(bearer)) throw new ConnectError('expired', Code.Unauthenticated);
          return { id: 'm' };
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    await client.newRobot({ name: 'a' });
    valid.clear();
    valid.add('Bearer token-2');
    await Promise.all([client.newRobot({ name: 'b' }), client.newRobot({ name: 'c' })]);
    assert.equal(fleet.exchanges, 2);
    assert.equal(fleet.bearers.length, 5);
  });

  it('renews the rejected token of a stream for later calls', async () => {
    const fleet = open({
      app: {
        listOrganizations: () => ({}),
        async *tailRobotPartLogs() {
          yield* await Promise.reject<[]>(new ConnectError('expired', Code.Unauthenticated));
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    const tail = client.tailRobotPartLogs({ id: 'part' })[Symbol.asyncIterator]();
    await assert.rejects(tail.next(), rejectsWith('unauthenticated'));
    await client.listOrganizations({});
    assert.deepEqual(fleet.bearers, ['Bearer token-1', 'Bearer token-2']);
  });

  it('fails if the new token is rejected too', async () => {
    const fleet = open({
      app: {
        listOrganizations: () => {
          throw new ConnectError('no', Code.Unauthenticated);
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    await assert.rejects(client.listOrganizations({}), rejectsWith('unauthenticated'));
    assert.equal(fleet.bearers.length, 2);
  });

  it('reports a wrong key if the service rejects it', async () => {
    const fleet = open({
      app: {},
      authenticate: () => {
        throw new ConnectError('bad key', Code.PermissionDenied);
      },
    });
    const client = createClient(AppService, fleet.transport);
    await assert.rejects(
      client.listOrganizations({}),
      rejectsWith('unauthenticated', /doesn't accept this API key/),
    );
  });

  it('repeats a call without side effects until it succeeds, with increasing delays', async () => {
    let calls = 0;
    const fleet = open({
      app: {
        listOrganizations: () => {
          calls += 1;
          if (calls < 3) throw new ConnectError('starting', Code.Unavailable);
          return { organizations: [{ id: 'o', name: 'O' }] };
        },
      },
    });
    assert.equal(
      AppService.method.listOrganizations.idempotency,
      Idempotency.NO_SIDE_EFFECTS,
      'the contract declares reads',
    );
    const answer = await createClient(AppService, fleet.transport).listOrganizations({});
    assert.equal(answer.organizations.length, 1);
    assert.deepEqual(fleet.waits, [100, 200]);
  });

  it('never repeats a call that could happen twice', async () => {
    let calls = 0;
    const fleet = open({
      app: {
        newRobot: () => {
          calls += 1;
          throw new ConnectError('starting', Code.Unavailable);
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    await assert.rejects(client.newRobot({ name: 'a' }), rejectsWith('unavailable'));
    assert.equal(calls, 1);
  });

  it('stops repeating when the caller cancels', async () => {
    const controller = new AbortController();
    const fleet = open({
      app: {
        listOrganizations: () => {
          controller.abort();
          throw new ConnectError('starting', Code.Unavailable);
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    await assert.rejects(
      client.listOrganizations({}, { signal: controller.signal }),
      rejectsWith('canceled'),
    );
    assert.equal(fleet.bearers.length, 1);
  });

  it('runs its interceptors in the order log, authenticate, retry, deadline', async () => {
    const deadlines: (string | null)[] = [];
    let hasRejected = false;
    let calls = 0;
    const fleet = open({
      app: {
        listOrganizations: (_, { requestHeader }) => {
          deadlines.push(requestHeader.get('grpc-timeout'));
          calls += 1;
          if (calls === 1) throw new ConnectError('starting', Code.Unavailable);
          if (!hasRejected) {
            hasRejected = true;
            throw new ConnectError('expired', Code.Unauthenticated);
          }
          return {};
        },
      },
    });
    await createClient(AppService, fleet.transport).listOrganizations({});
    // The call is retried before the token is renewed, because the retry layer is inside the
    // authentication layer.
    assert.deepEqual(fleet.bearers, ['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    // Every attempt has its own deadline, because the deadline layer is inside the retry layer.
    assert.deepEqual(deadlines, Array(3).fill('30000m'));
    // There is one line per call, regardless of retries, because the log layer is the outermost.
    assert.equal(fleet.logLines.filter((line) => line.includes('ListOrganizations')).length, 1);
  });

  it('preserves the timeout of the caller', async () => {
    const times: (string | null)[] = [];
    const fleet = open({
      app: {
        listOrganizations: (_, { requestHeader }) => {
          times.push(requestHeader.get('connect-timeout-ms'), requestHeader.get('grpc-timeout'));
          return {};
        },
      },
    });
    await createClient(AppService, fleet.transport).listOrganizations({}, { timeoutMs: 60_000 });
    assert.deepEqual(times, ['60000', null]);
  });

  it('logs neither key nor token', async () => {
    const fleet = open({ app: { listOrganizations: () => ({}) } });
    await createClient(AppService, fleet.transport).listOrganizations({});
    assert.doesNotMatch(fleet.logLines.join('\n'), /canary-secret|token-1/);
  });

  const codes: readonly (readonly [Code, string, string])[] = [
    [Code.PermissionDenied, 'permission', "You don't have permission to do this."],
    [Code.NotFound, 'notFound', 'The resource was deleted,'],
    [Code.Aborted, 'conflict', 'Another user changed the resource'],
    [Code.FailedPrecondition, 'conflict', 'The reason.'],
    [Code.InvalidArgument, 'invalid', 'The reason.'],
    [Code.AlreadyExists, 'invalid', 'The reason.'],
    [Code.Unimplemented, 'unsupported', 'The reason.'],
    [Code.Internal, 'internal', 'The service reported an internal error.'],
  ];
  for (const [code, kind, reason] of codes) {
    it(`converts ${Code[code]} to ${kind} with a message for users`, async () => {
      const fleet = open({
        app: {
          getRobotParts: () => {
            throw new ConnectError('the reason', code);
          },
        },
      });
      const client = createClient(AppService, fleet.transport);
      await assert.rejects(client.getRobotParts({ robotId: 'm' }), (error: unknown) => {
        assert.ok(error instanceof FleetError);
        assert.equal(error.kind, kind);
        assert.ok(error.message.startsWith(`Couldn't list the parts. ${reason}`), error.message);
        assert.equal(error.serviceMessage, 'the reason');
        return true;
      });
    });
  }

  it('converts errors of streams to FleetErrors too', async () => {
    const fleet = open({
      app: {
        tailRobotPartLogs: async function* () {
          yield { logs: [] };
          await Promise.resolve();
          throw new ConnectError('gone', Code.NotFound);
        },
      },
    });
    const client = createClient(AppService, fleet.transport);
    await assert.rejects(async () => {
      for await (const { logs } of client.tailRobotPartLogs({ id: 'p' })) assert.ok(logs);
    }, rejectsWith('notFound'));
  });
});
