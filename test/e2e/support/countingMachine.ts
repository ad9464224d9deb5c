import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartCredentials } from '../../support/machineCalls';

const batchMs = 100;
const patienceMs = 60_000;
const linesInBatch = 3;
const errorEvery = 10;

/** A machine that numbers its log lines and resends lines that the service hasn't acknowledged. */
export class CountingMachine {
  private token: string | undefined;
  private last = 0;
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly serviceUrl: string,
    private readonly part: PartCredentials,
  ) {}

  /**
   * Number of the last line that the service has acknowledged, counted from 1. After the machine
   * has stopped, this is the number of all sent lines.
   */
  get logged(): number {
    return this.last;
  }

  start(): void {
    this.running = this.run();
    // Prevents an unhandled rejection; the caller of `stop` receives the error.
    this.running.catch(() => undefined);
  }

  /**
   * Stops after the service has acknowledged a last line.
   * @throws Error if the service doesn't accept the line.
   */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      const logs = Array.from({ length: linesInBatch }, (_, index) => line(this.last + index + 1));
      const deadline = performance.now() + patienceMs;
      while (!(await this.send(logs))) {
        assert.ok(performance.now() < deadline, `${this.part.id} cannot log`);
        await sleep(batchMs);
      }
      await sleep(batchMs);
    }
  }

  private async send(logs: readonly object[]): Promise<boolean> {
    try {
      this.token ??= await this.signIn();
      await this.call('viam.app.v1.RobotService/Log', { id: this.part.id, logs }, this.token);
      this.last += logs.length;
      return true;
    } catch {
      this.token = undefined;
      return false;
    }
  }

  private async signIn(): Promise<string> {
    const { id, secret } = this.part;
    const credentials = { type: 'robot-secret', payload: secret };
    const path = 'proto.rpc.v1.AuthService/Authenticate';
    return (await this.call(path, { entity: id, credentials })).accessToken ?? '';
  }

  private async call(
    path: string,
    request: unknown,
    token?: string,
  ): Promise<{ accessToken?: string }> {
    const response = await fetch(`${this.serviceUrl}/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as { accessToken?: string };
  }
}

function line(number: number): object {
  const isError = number % errorEvery === 0;
  return {
    level: isError ? 'error' : 'info',
    loggerName: 'journey',
    time: new Date().toISOString(),
    message: isError ? `fault at ${number}` : `count ${number}`,
    fields: [{ number }],
  };
}
