import assert from 'node:assert/strict';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { type ServiceKey, signIn } from './serviceClients';
import { readJson, type ServiceRun } from './serviceProgram';

export type OwnerKey = ServiceKey & { organizationId: string };

/** A service in a separate process, and its owner's connection to it. */
export class RunningService {
  private constructor(
    readonly run: ServiceRun,
    readonly key: OwnerKey,
    /** Authorization header of the owner's calls. */
    readonly authorization: string,
    /** The owner's gRPC transport, which uses a single connection. */
    readonly transport: Transport,
    private readonly session: Http2SessionManager,
  ) {}

  /** Waits until a newly started service accepts calls. */
  static async of(run: ServiceRun): Promise<RunningService> {
    const ready = await run.ready;
    if (ready === undefined) assert.fail(`the service did not start: ${(await run.ended).stderr}`);
    const key = readJson(ready.credentialsFile) as OwnerKey;
    const authorization = `Bearer ${await signIn(key)}`;
    const bearer: Interceptor = (next) => (request) => {
      request.header.set('authorization', authorization);
      return next(request);
    };
    const session = new Http2SessionManager(key.url);
    const transport = createGrpcTransport({
      baseUrl: key.url,
      sessionManager: session,
      interceptors: [bearer],
    });
    return new RunningService(run, key, authorization, transport, session);
  }

  async kill(): Promise<void> {
    this.run.child.kill('SIGKILL');
    await this.run.ended;
    this.session.abort();
  }

  async stop(): Promise<void> {
    this.session.abort();
    this.run.child.kill('SIGTERM');
    assert.equal((await this.run.ended).exitCode, 0);
  }
}
