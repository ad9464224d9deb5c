import { setImmediate as giveWay } from 'node:timers/promises';
import { clientsOver } from '../../src/core/api/fleetClients';
import { createInterceptedTransport } from '../../src/core/api/interceptedTransport';
import { type MatchPattern, PatternTooSlowError } from '../../src/core/logs/logItem';
import { LogFeed } from '../../src/core/logs/logFeed';
import type { LogSource } from '../../src/core/logs/partTail';
import { LogStore } from '../../src/core/stores/logStore';
import { connectedTransport } from './connectedTransport';
import { CuttableTransport } from './cuttableTransport';
import type { MemoryFleet } from './memoryFleet';
import { silentLogger } from './silentLogger';

/** A message for which every regular expression takes too long. */
export const SLOW_MESSAGE = 'slow one';

const matchPattern: MatchPattern = (pattern, texts) => {
  if (texts.includes(SLOW_MESSAGE)) throw new PatternTooSlowError();
  return texts.map((text) => pattern.test(text));
};

/**
 * The logs of an in-memory fleet over a transport that tests can cut, with feeds whose waits end
 * when a test ends them.
 */
export class TestFeeds {
  /** Source of the feeds; tests can replace it. */
  source: LogSource;
  /** Ends the most recent wait of a feed. */
  retry: () => void = () => undefined;
  private wire: CuttableTransport | undefined;

  constructor(private readonly fleet: MemoryFleet) {
    const { transport } = createInterceptedTransport({
      baseUrl: fleet.baseUrl,
      openWire: (interceptors) => (this.wire = new CuttableTransport(fleet.wire(interceptors))),
      readKey: () => Promise.resolve(fleet.key),
      logger: silentLogger,
      clock: fleet.clock,
      sleep: () => Promise.resolve(),
      random: () => 0,
    });
    this.source = new LogStore(clientsOver(connectedTransport(transport, fleet.baseUrl)));
  }

  cut(): void {
    this.wire?.cut();
  }

  restore(): void {
    this.wire?.restore();
  }

  open(limit: number): LogFeed {
    return new LogFeed({
      source: () => this.source,
      clock: this.fleet.clock,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          this.retry = resolve;
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
      random: () => 0,
      limit,
      matchPattern,
      yieldToEventLoop: async () => {
        await giveWay();
      },
      logger: silentLogger,
      messages: { ended: 'Ended.', full: (most) => `At most ${most}.` },
    });
  }
}
