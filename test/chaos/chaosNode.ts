import { setTimeout as sleep } from 'node:timers/promises';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { Interceptor, Transport } from '@connectrpc/connect';
import type { OwnerKey } from '../support/runningService';
import { signIn } from '../support/serviceClients';
import { readJson, type ServiceProgram, type ServiceRun } from '../support/serviceProgram';
import type { Link } from './link';

const RESTART_PAUSE_MS = 200;
/** Detects within a few seconds that the network of a node has failed. */
const PINGS = { pingIntervalMs: 2_000, pingTimeoutMs: 2_000, pingIdleConnection: true };
const READY_TIMEOUT_MS = 2_000;

/** Connection to a running node. */
export interface NodeConnection {
  readonly owner: OwnerKey;
  /** Access token of the owner. */
  readonly token: string;
  /** Returns a transport that sends an access token. */
  readonly open: (token?: string) => Transport;
}

/** A node of the service in a process of its own, which starts again after each exit. */
export class ChaosNode {
  starts = 0;
  private run: ServiceRun | undefined;
  private session: Http2SessionManager | undefined;
  private current: NodeConnection | undefined;
  private isClosing = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly program: ServiceProgram,
    private readonly options: readonly string[],
    /** Link of this node to the database. */
    readonly databaseLink: Link,
    /** Returns the path with which this process reads a file of the node. */
    private readonly toLocalPath: (path: string) => string = (path) => path,
  ) {
    process.once('exit', () => this.kill());
    this.running = this.keepRunning();
  }

  /** Connection to the node; undefined while it isn't running. */
  get connection(): NodeConnection | undefined {
    return this.current;
  }

  /** Resolves to true if the node is running and ready. */
  async isReady(): Promise<boolean> {
    const url = this.current?.owner.url;
    if (url === undefined) return false;
    const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
    return fetch(`${url}/readyz`, { signal }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  kill(): void {
    this.current = undefined;
    this.run?.child.kill('SIGKILL');
  }

  /** Suspends the node; its connections stay open. */
  suspend(): void {
    this.run?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.run?.child.kill('SIGCONT');
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.run?.child.kill('SIGKILL');
    await this.running;
  }

  private async keepRunning(): Promise<void> {
    while (!this.isClosing) {
      const run = this.program.serve(...this.options);
      this.run = run;
      const ready = await run.ready;
      if (ready !== undefined) await this.connect(ready.credentialsFile).catch(() => undefined);
      await run.ended;
      this.current = undefined;
      this.session?.abort();
      await sleep(RESTART_PAUSE_MS);
    }
  }

  private async connect(credentialsFile: string): Promise<void> {
    this.starts += 1;
    const owner = readJson(this.toLocalPath(credentialsFile)) as OwnerKey;
    const sessionManager = new Http2SessionManager(owner.url, PINGS);
    this.session = sessionManager;
    const open = (token?: string): Transport => {
      const bearer: Interceptor = (next) => (call) => {
        if (token !== undefined) call.header.set('authorization', `Bearer ${token}`);
        return next(call);
      };
      return createGrpcTransport({ baseUrl: owner.url, sessionManager, interceptors: [bearer] });
    };
    // The database can be unreachable right after the start.
    while (this.run?.child.exitCode === null && this.run.child.signalCode === null) {
      try {
        this.current = { owner, token: await signIn(owner), open };
        return;
      } catch {
        await sleep(RESTART_PAUSE_MS);
      }
    }
  }
}
