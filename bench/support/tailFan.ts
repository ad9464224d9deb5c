import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import type { BenchFleet } from './benchFleet';
import { machineAuthorization } from './benchMachine';

/** A window has few open tails, so many tails belong to many connections. */
const TAILS_PER_CONNECTION = 50;
const LINES_PER_CALL = 20;
const POLL_MS = 1;

/** Open tails of one machine's log. */
export class TailFan implements AsyncDisposable {
  private readonly stopping = new AbortController();
  private readonly sessions: Http2SessionManager[] = [];
  private readonly ends: Promise<void>[] = [];
  private received = 0;

  private constructor(
    private readonly fleet: BenchFleet,
    private readonly machine: { authorization: string },
  ) {}

  /** Opens the given number of tails; resolves when all of them are live. */
  static async open(fleet: BenchFleet, tails: number): Promise<TailFan> {
    const fan = new TailFan(fleet, { authorization: await machineAuthorization(fleet) });
    for (let open = 0; open < tails; open += TAILS_PER_CONNECTION) {
      await fan.connect(Math.min(TAILS_PER_CONNECTION, tails - open));
    }
    return fan;
  }

  /** Logs lines; resolves when every tail has received them. */
  async send(lines: number): Promise<void> {
    const robot = createClient(RobotService, this.fleet.transport());
    const id = this.fleet.part.part_id;
    const expected = this.received + lines * this.ends.length;
    for (let sent = 0; sent < lines; sent += LINES_PER_CALL) {
      const logs = Array.from({ length: LINES_PER_CALL }, (_, index) => ({
        host: 'rover',
        level: 'info',
        loggerName: 'rdk.component.drive',
        message: `drive at ${((sent + index) * 7919) % 1800} rpm`,
        time: timestampFromMs(Date.now()),
      }));
      await robot.log({ id, logs }, { headers: this.machine });
    }
    while (this.received < expected) await sleep(POLL_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.ends);
    for (const session of this.sessions) session.abort();
  }

  private async connect(tails: number): Promise<void> {
    const { url } = this.fleet;
    const sessionManager = new Http2SessionManager(url);
    this.sessions.push(sessionManager);
    const app = createClient(AppService, createGrpcTransport({ baseUrl: url, sessionManager }));
    const read = async (live: () => void): Promise<void> => {
      const request = { id: this.fleet.part.part_id, errorsOnly: false };
      const options = { headers: this.fleet.headers, signal: this.stopping.signal };
      let isLive = false;
      for await (const { logs } of app.tailRobotPartLogs(request, options)) {
        // The first message contains the lines from before, and confirms that the tail is live.
        if (isLive) this.received += logs.length;
        else live();
        isLive = true;
      }
    };
    const opened = Array.from({ length: tails }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      const end = read(() => resolve(undefined)).catch((error: unknown) => {
        if (!this.stopping.signal.aborted) reject(error);
      });
      this.ends.push(end);
      return promise;
    });
    await Promise.all(opened);
  }
}
