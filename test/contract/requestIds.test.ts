import assert from 'node:assert/strict';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { RequestInfoSchema } from '../../src/gen/google/rpc/error_details_pb';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { http1Request } from '../support/rawHttp';
import { ServiceProgram } from '../support/serviceProgram';
import { TestClock } from '../support/testClock';
import { type Protocol, startHttpDeployment } from './deployment';

const PROCESS_LIMIT_MS = 120_000;
/** Number of failed sign-ins after which the service logs a line. */
const LOGGED_FAILURES = 10;

/** Returns the error of a call. */
async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError);
  return error;
}

for (const protocol of ['gRPC', 'gRPC-web', 'Connect'] satisfies Protocol[]) {
  it(`a request ID over ${protocol} is in the details of errors before and in handlers`, async () => {
    const deployment = await startHttpDeployment(new TestClock(), protocol);
    try {
      const transport = deployment.transport([]);
      const headers = { 'x-request-id': 'mine' };
      const unknownCaller = createClient(AppService, transport).listOrganizations({}, { headers });
      const wrongKey = createClient(AuthService, transport).authenticate(
        { entity: 'nobody', credentials: { type: 'api-key', payload: 'wrong' } },
        { headers },
      );
      for (const [call, code] of [
        [unknownCaller, Code.Unauthenticated],
        [wrongKey, Code.PermissionDenied],
      ] as const) {
        const error = await errorOf(call);
        assert.equal(error.code, code);
        assert.equal(error.metadata.get('x-request-id'), 'mine');
        assert.equal(error.findDetails(RequestInfoSchema)[0]?.requestId, 'mine');
      }
    } finally {
      await deployment.stop();
    }
  });
}

describe('the log of the service', function () {
  this.timeout(PROCESS_LIMIT_MS);

  it('contains the request ID and the trace ID in lines of handlers', async () => {
    await using program = await ServiceProgram.build();
    const run = program.serve('--ephemeral');
    const { url } = (await run.ready) ?? assert.fail('the service did not start');
    const client = createClient(AuthService, createGrpcTransport({ baseUrl: url }));
    for (let attempt = 1; attempt <= LOGGED_FAILURES; attempt += 1) {
      const headers = {
        'x-request-id': `attempt-${attempt}`,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      };
      const credentials = { type: 'api-key', payload: 'wrong' };
      await errorOf(client.authenticate({ entity: 'nobody', credentials }, { headers }));
    }
    run.child.kill('SIGTERM');
    const { stderr } = await run.ended;
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find(({ message }) => message === 'sign-ins failed');
    assert.equal(line?.requestId, `attempt-${LOGGED_FAILURES}`);
    assert.equal(line.traceId, '4bf92f3577b34da6a3ce929d0e0e4736');
    assert.ok(lines.filter(({ message }) => message === 'ready').every((l) => !('requestId' in l)));
  });

  it('is referenced by responses to plain requests, too', async () => {
    const deployment = await startHttpDeployment(new TestClock(), 'gRPC');
    try {
      const headers = { 'x-request-id': 'mine' };
      for (const path of ['/healthz', '/binary-data/none']) {
        const answer = await http1Request(`${deployment.url}${path}`, { headers });
        assert.equal(answer.headers['x-request-id'], 'mine', path);
      }
    } finally {
      await deployment.stop();
    }
  });
});
