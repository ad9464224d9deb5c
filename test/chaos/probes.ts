import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import type { ChaosCalls } from './chaosCalls';
import type { ChaosNode } from './chaosNode';
import { type ChaosPart, createLines, toHash, uploadImage } from './chaosParts';
import { followTail } from './followTail';

const IMAGE_BYTES = 5_000;
const POLL_MS = 5;
/** Maximum time until a line that one node has acknowledged is in a tail of the other. */
const MAX_LINE_DELAY_MS = 1_000;
const LINE_TIMEOUT_MS = 30_000;

/** Tail of a part on a node that is opened again after each failure. */
class ProbeTail {
  isLive = false;
  /** Times at which lines were received. */
  readonly times = new Map<string, number>();

  constructor(
    readonly node: ChaosNode,
    partId: string,
    closing: AbortSignal,
  ) {
    const reader = {
      opened: () => (this.isLive = true),
      received: (messages: readonly string[]) => {
        for (const message of messages) this.times.set(message, performance.now());
      },
      failed: () => (this.isLive = false),
    };
    void followTail(node, partId, reader, closing);
  }
}

/** Checks after each disturbance that each node has what the other one has acknowledged. */
export class Probes implements Disposable {
  /** Milliseconds from the acknowledgment of a line on one node until it was in a tail of the other. */
  readonly lineDelays: number[] = [];
  /** Lines that took too long, with the disturbance and the delay in milliseconds. */
  readonly lateLines: string[] = [];
  readonly images = { count: 0, wrong: 0 };
  private readonly closing = new AbortController();
  private readonly tails: readonly [ProbeTail, ProbeTail];
  private lineCount = 0;

  constructor(
    private readonly calls: ChaosCalls,
    [first, second]: readonly [ChaosNode, ChaosNode],
    private readonly part: ChaosPart,
  ) {
    const { signal } = this.closing;
    this.tails = [new ProbeTail(first, part.id, signal), new ProbeTail(second, part.id, signal)];
  }

  [Symbol.dispose](): void {
    this.closing.abort();
  }

  /** @param disturbance name of the disturbance that was just healed. */
  async run(disturbance: string): Promise<void> {
    const [first, second] = this.tails;
    await this.checkLine(first.node, second, disturbance);
    await this.checkLine(second.node, first, disturbance);
    await this.checkImage(first.node, second.node);
    await this.checkImage(second.node, first.node);
  }

  private async checkLine(node: ChaosNode, tail: ProbeTail, disturbance: string): Promise<void> {
    const { id, token } = this.part;
    await poll(() => tail.isLive, LINE_TIMEOUT_MS);
    const logs = createLines(this.lineCount, 1);
    this.lineCount += 1;
    const message = logs[0]?.message ?? '';
    await this.calls.retry(
      ({ open }, signal) => createClient(RobotService, open(token)).log({ id, logs }, { signal }),
      [node],
    );
    const acknowledged = performance.now();
    await poll(() => tail.times.has(message), LINE_TIMEOUT_MS);
    const delay = Math.max(0, (tail.times.get(message) ?? Number.POSITIVE_INFINITY) - acknowledged);
    this.lineDelays.push(Math.round(delay));
    if (delay > MAX_LINE_DELAY_MS) {
      this.lateLines.push(`${disturbance}: ${String(Math.round(delay))}`);
    }
  }

  private async checkImage(writer: ChaosNode, reader: ChaosNode): Promise<void> {
    this.images.count += 1;
    const value = randomBytes(IMAGE_BYTES);
    const name = `probe-${String(this.images.count)}`;
    const id = await this.calls.retry(uploadImage(this.part, name, value), [writer]);
    const { data } = await this.calls.retry(
      ({ open, token }, signal) =>
        createClient(DataService, open(token)).binaryDataByIDs(
          { binaryDataIds: [id], includeBinary: true },
          { signal },
        ),
      [reader],
    );
    if (toHash(data[0]?.binary ?? Buffer.of()) !== toHash(value)) this.images.wrong += 1;
  }
}

/** Polls a condition until it is met, but not longer than a time in milliseconds. */
async function poll(isMet: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isMet() && performance.now() < deadline) await sleep(POLL_MS);
}
