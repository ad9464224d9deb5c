import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { ChaosNode } from './chaosNode';

const RETRY_MS = 100;

/** Receives the lines of a tail. */
export interface TailReader {
  /** Called when a tail is live. */
  opened(): void;
  received(messages: readonly string[]): void;
  /** Called when a tail has failed. */
  failed(): void;
}

/** Opens tails of a part on a node, each until it fails, until the signal aborts. */
export async function followTail(
  node: ChaosNode,
  partId: string,
  reader: TailReader,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { connection } = node;
    if (connection !== undefined) {
      const app = createClient(AppService, connection.open(connection.token));
      let isOpen = false;
      try {
        for await (const { logs } of app.tailRobotPartLogs({ id: partId }, { signal })) {
          // The first message indicates that the tail is live.
          if (!isOpen) reader.opened();
          isOpen = true;
          if (logs.length > 0) reader.received(logs.map(({ message }) => message));
        }
      } catch {
        // The node was killed, or can't check the caller's permission.
      }
      if (isOpen) reader.failed();
    }
    await sleep(RETRY_MS);
  }
}
