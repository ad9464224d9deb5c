import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Random } from '../support/seededRandom';
import type { ChaosNode, NodeConnection } from './chaosNode';

/** Longer than the service takes to find out that a server has vanished. */
const CALL_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;
const MAX_ERROR_CHARS = 80;

/** Work of a call. */
export type Work<T> = (node: NodeConnection, signal: AbortSignal) => Promise<T>;

/** Counters of one kind of write. */
export class Tally {
  acknowledged = 0;
  failed = 0;
  lost = 0;
  doubled = 0;

  /** Counts what is stored, given how often each acknowledged or attempted write is there. */
  check(acknowledged: Iterable<string | number>, stored: readonly (string | number)[]): void {
    const counts = new Map<string | number, number>();
    for (const key of stored) counts.set(key, (counts.get(key) ?? 0) + 1);
    let all = 0;
    for (const key of acknowledged) {
      all += 1;
      if (!counts.has(key)) this.lost += 1;
    }
    this.acknowledged = all;
    for (const count of counts.values()) this.doubled += count - 1;
  }
}

/** Calls of nodes that can fail at any time. */
export class ChaosCalls {
  /** Number of failed writes by code and message. */
  readonly errors: Record<string, number> = {};
  /** Milliseconds that the slowest call took, with its result. */
  slowest = { ms: 0, result: '' };

  constructor(
    private readonly nodes: readonly ChaosNode[],
    private readonly random: Random,
  ) {}

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  /** Calls a random one of some nodes that is running. */
  async call<T>(work: Work<T>, nodes = this.nodes, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
    for (;;) {
      const live = nodes.flatMap(({ connection }) => connection ?? []);
      if (live.length > 0) {
        return this.measure(work(this.pick(live), AbortSignal.timeout(timeoutMs)));
      }
      await sleep(RETRY_MS);
    }
  }

  /** Repeats a call until it succeeds. */
  async retry<T>(work: Work<T>, nodes = this.nodes): Promise<T> {
    for (;;) {
      try {
        return await this.call(work, nodes);
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  /** Makes a write that isn't repeated. Returns undefined if it is unknown whether it succeeded. */
  async writeOnce<T>(tally: Tally, work: Work<T>): Promise<T | undefined> {
    try {
      return await this.call(work);
    } catch (error) {
      tally.failed += 1;
      this.count(error);
      await sleep(RETRY_MS);
      return undefined;
    }
  }

  private async measure<T>(call: Promise<T>): Promise<T> {
    const start = performance.now();
    let result = 'succeeded';
    try {
      return await call;
    } catch (error) {
      result = describeError(error);
      throw error;
    } finally {
      const ms = Math.round(performance.now() - start);
      if (ms > this.slowest.ms) this.slowest = { ms, result };
    }
  }

  private count(error: unknown): void {
    const text = describeError(error);
    this.errors[text] = (this.errors[text] ?? 0) + 1;
  }
}

function describeError(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  return `${Code[code]}: ${rawMessage.slice(0, MAX_ERROR_CHARS)}`;
}
