import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/seededRandom';
import type { ChaosCalls } from './chaosCalls';
import type { NetworkFailure, Stage } from './chaosStage';
import type { Link } from './link';

const MIN_CUT_MS = 300;
const CUT_RANGE_MS = 5_000;
/**
 * Range of the time for which nodes are suspended or packets are lost: sometimes longer than a lease, and
 * than the database waits within a transaction.
 */
const SILENCE_RANGE_MS = 25_000;
const MIN_PAUSE_MS = 2_000;
const PAUSE_RANGE_MS = 4_000;
const RECOVERY_TIMEOUT_MS = 90_000;
const POLL_MS = 20;

/** Breaks a part of the stage at a time, and heals it. */
export class Disturbances {
  /** Number of disturbances of each kind. */
  readonly counts: Record<string, number> = {};
  /** Milliseconds from the end of each disturbance until both nodes were ready, by kind. */
  readonly recoveriesMs: Record<string, number[]> = {};
  private readonly actions: Readonly<Record<string, () => Promise<void>>>;

  constructor(
    private readonly stage: Stage,
    private readonly calls: ChaosCalls,
    private readonly random: Random,
  ) {
    const { nodes, nats, natsLink, bucketLink } = stage;
    this.actions = {
      killNode: () => this.killNodes(calls.pick([[nodes[0]], [nodes[1]]])),
      killBothNodes: () => this.killNodes(nodes),
      suspendNode: () => this.suspendNode(),
      cutDatabase: () => this.cut(calls.pick(nodes).databaseLink),
      cutBucket: () => this.cut(bucketLink),
      cutNats: () => this.cut(natsLink),
      killNats: async () => {
        await nats.kill();
        await this.pause(MIN_CUT_MS, CUT_RANGE_MS);
        await nats.run();
      },
      failOverDatabase: () => this.failOverDatabase(),
      fillDisk: async () => {
        const free = stage.fillDisk();
        await this.pause(MIN_CUT_MS, CUT_RANGE_MS);
        free();
      },
      ...Object.fromEntries(
        Object.entries(stage.networkFailures).map(([name, fail]) => [name, () => this.fail(fail)]),
      ),
    };
  }

  /**
   * Disturbs and heals until the signal aborts. Each kind is used equally often.
   * @param healed called after each disturbance, when both nodes are ready.
   */
  async run(over: AbortSignal, healed: (name: string) => Promise<void>): Promise<void> {
    let remaining: string[] = [];
    while (!over.aborted) {
      await this.pause(MIN_PAUSE_MS, PAUSE_RANGE_MS);
      if (remaining.length === 0) remaining = Object.keys(this.actions);
      const name = this.calls.pick(remaining);
      remaining = remaining.filter((other) => other !== name);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      console.error(`${new Date().toISOString()} ${name}`);
      await this.actions[name]?.();
      await this.waitForNodes(name);
      await healed(name);
    }
  }

  private pause(minimumMs: number, rangeMs: number): Promise<void> {
    return sleep(minimumMs + this.random() * rangeMs);
  }

  private async cut(link: Link): Promise<void> {
    link.cut();
    await this.pause(MIN_CUT_MS, CUT_RANGE_MS);
    link.heal();
  }

  private async fail(fail: NetworkFailure): Promise<void> {
    const heal = await fail(this.calls.pick([0, 1] as const));
    await this.pause(MIN_CUT_MS, SILENCE_RANGE_MS);
    await heal();
  }

  private killNodes(nodes: readonly { kill: () => void }[]): Promise<void> {
    for (const node of nodes) node.kill();
    return Promise.resolve();
  }

  private async suspendNode(): Promise<void> {
    const node = this.calls.pick(this.stage.nodes);
    node.suspend();
    await this.pause(MIN_CUT_MS, SILENCE_RANGE_MS);
    node.resume();
  }

  private async failOverDatabase(): Promise<void> {
    const { database, nodes } = this.stage;
    await database.failOver();
    for (const { databaseLink } of nodes) databaseLink.redirect(database.url);
    await database.addReplica();
  }

  private async waitForNodes(name: string): Promise<void> {
    const start = performance.now();
    for (const node of this.stage.nodes) {
      while (!(await node.isReady())) {
        if (performance.now() - start > RECOVERY_TIMEOUT_MS) {
          throw new Error(`a node did not recover after ${name}`);
        }
        await sleep(POLL_MS);
      }
    }
    (this.recoveriesMs[name] ??= []).push(Math.round(performance.now() - start));
  }
}
