import { Disposable } from '../../../base/disposable';
import type { Sleep } from '../../../core/ports';

/**
 * Interval in milliseconds between changes. It is short enough for a running counter and long
 * enough for a page to draw.
 */
const INTERVAL_MS = 100;

/**
 * Throttles changes to ten per second. Sends the first change immediately, and always sends the
 * last one.
 */
export class StatusPump<T> extends Disposable {
  private readonly waiting = new Set<T>();
  private readonly pausing = new Set<T>();

  constructor(
    private readonly sleep: Sleep,
    private readonly notify: (changed: T) => void,
  ) {
    super();
  }

  request(changed: T): void {
    if (this.pausing.has(changed)) this.waiting.add(changed);
    else void this.send(changed);
  }

  private async send(changed: T): Promise<void> {
    if (this.isDisposed) return;
    this.notify(changed);
    this.pausing.add(changed);
    await this.sleep(INTERVAL_MS);
    this.pausing.delete(changed);
    if (this.waiting.delete(changed)) await this.send(changed);
  }
}
