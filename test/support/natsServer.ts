import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../scripts/support/freePort';
import { ensureInstalled } from './debianPackages';

const PROGRAM = 'nats-server';
const READY = 'Server is ready';
const REJECTED = 'authentication error';

/**
 * Defines a suite that uses `NatsTestServer`. If NATS isn't installed and can't be installed, defines
 * nothing and warns, because skipped tests would fail the run.
 */
export function describeNats(title: string, define: (this: Mocha.Suite) => void): void {
  if (ensureInstalled([PROGRAM], [PROGRAM])) {
    describe(title, define);
    return;
  }
  console.warn(
    `NOT TESTED: ${title}. To test this, install NATS, for example on Debian: sudo apt-get install -y ${PROGRAM}`,
  );
}

/** A real NATS server on the loopback address, which stops with this process at the latest. */
export class NatsTestServer implements AsyncDisposable {
  /** Number of clients that the server has rejected because of their credentials. */
  rejections = 0;
  private server: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly credentials: string,
  ) {}

  /** @param credentials user and password that clients need. */
  static async start(credentials = 'fleet:secret'): Promise<NatsTestServer> {
    const server = new NatsTestServer(await freePort(), credentials);
    process.once('exit', server.stop);
    await server.run();
    return server;
  }

  get url(): string {
    return `nats://${this.credentials}@127.0.0.1:${String(this.port)}`;
  }

  /** Starts the server, and resolves when it accepts clients with these credentials. */
  async run(credentials = this.credentials): Promise<void> {
    const [user = '', password = ''] = credentials.split(':');
    const server = spawn(
      PROGRAM,
      ['-a', '127.0.0.1', '-p', String(this.port), '--user', user, '--pass', password],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.server = server;
    const lines = createInterface({ input: server.stderr });
    const ready = Promise.withResolvers<undefined>();
    // Reads all lines, because the server would block when the pipe is full.
    lines.on('line', (line) => {
      if (line.includes(READY)) ready.resolve(undefined);
      if (line.includes(REJECTED)) this.rejections += 1;
    });
    await ready.promise;
  }

  async kill(): Promise<void> {
    const server = this.server;
    if (server === undefined) return;
    const exited = once(server, 'exit');
    this.stop();
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.stop);
    await this.kill();
  }

  private readonly stop = (): void => {
    this.server?.kill('SIGKILL');
    this.server = undefined;
  };
}
