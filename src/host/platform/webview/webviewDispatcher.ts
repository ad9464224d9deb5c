import { Disposable } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import { isCanceled, toFleetError } from '../../../core/api/errors';
import type { Logger, Sleep } from '../../../core/ports';
import {
  type HostHandlers,
  isToHost,
  type MethodOf,
  type ParamsOf,
  type Protocol,
  type ToHost,
  type ToWebview,
} from '../../../shared/protocol';

/** Message channel of a webview. */
export interface MessagePort {
  postMessage(message: unknown): PromiseLike<boolean>;
  readonly onDidReceiveMessage: Event<unknown>;
}

type Handler = (params: never, signal?: AbortSignal) => unknown;

/**
 * Host side of a message channel. Validates every message before a handler receives it, because a
 * webview shows remote content and its messages are untrusted. If a request fails, returns the
 * error to the webview. If a command fails, presents the error to the user.
 */
export class WebviewDispatcher<P extends Protocol> extends Disposable {
  private readonly running = new Map<number, AbortController>();

  constructor(
    private readonly protocol: P,
    private readonly port: MessagePort,
    private readonly handlers: HostHandlers<P>,
    private readonly presentError: (error: unknown) => void,
    private readonly log: Logger,
  ) {
    super();
    this.register(port.onDidReceiveMessage((message) => this.receive(message)));
    this.register({ dispose: () => this.abortAll() });
  }

  /** Sends a notification to the webview. Has no effect if the webview no longer exists. */
  notify<K extends MethodOf<P, 'notification'>>(method: K, params: ParamsOf<P, K>): void {
    this.post({ type: 'notification', method, params });
  }

  private receive(message: unknown): void {
    if (!isToHost(message)) {
      this.log.warn('A webview sent a message of an unknown form.');
      return;
    }
    if (message.type === 'cancel') {
      this.running.get(message.id)?.abort();
      return;
    }
    const handler = this.findHandler(message);
    if (handler && message.type === 'request') {
      void this.handleRequest(message.id, message.params, handler);
    } else if (handler) {
      void this.run(message.params, handler);
    } else {
      this.log.warn(
        "A webview sent a message that doesn't match its protocol.",
        this.about(message),
      );
    }
  }

  private findHandler(message: Exclude<ToHost, { type: 'cancel' }>): Handler | undefined {
    const { method, params, type } = message;
    if (!Object.hasOwn(this.protocol, method)) return undefined;
    const definition = this.protocol[method];
    if (definition?.type !== type || !definition.params(params)) return undefined;
    const handlers: Readonly<Record<string, Handler>> = this.handlers;
    return handlers[method];
  }

  private async handleRequest(id: number, params: unknown, handler: Handler): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const result: unknown = await handler(params as never, controller.signal);
      this.post({ type: 'result', id, result });
    } catch (error) {
      const { kind, message, action } = toFleetError(error);
      this.post({ type: 'error', id, error: { kind, message, ...(action && { action }) } });
    } finally {
      this.running.delete(id);
    }
  }

  private async run(params: unknown, handler: Handler): Promise<void> {
    try {
      await handler(params as never);
    } catch (error) {
      if (!isCanceled(error)) this.presentError(error);
    }
  }

  private abortAll(): void {
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private about({ type, method }: { type: string; method: string }): Record<string, string> {
    // Only the beginning of a method's name is logged, because the name comes from the webview.
    return { type, method: method.slice(0, 40) };
  }

  private post(message: ToWebview): void {
    if (!this.isDisposed) void this.port.postMessage(message);
  }
}

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
