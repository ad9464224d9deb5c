import type { Guard } from '../../src/shared/guards';
import {
  isToWebview,
  type MethodOf,
  type ParamsOf,
  type Protocol,
  type ResultOf,
  type ToHost,
  type WebviewHandlers,
  type WireError,
} from '../../src/shared/protocol';
import { type HostRecoveryAction, toRecoveryAction } from '../../src/shared/recoveryAction';
import type { ErrorState, RecoveryHandlers } from '../ui/createErrorBox';

/** The API that VS Code provides to each webview. A webview can acquire it only once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A request that failed on the host. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly kind: string;
  readonly action: string | undefined;

  constructor({ kind, message, action }: WireError) {
    super(message);
    this.kind = kind;
    this.action = action;
  }
}

interface Waiting {
  readonly isResult: Guard<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The webview's end of a message channel; its methods are typed by a protocol. */
export class HostConnection<P extends Protocol> {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly protocol: P,
    private readonly api: Pick<VsCodeApi, 'postMessage'>,
    private readonly handlers: WebviewHandlers<P>,
  ) {}

  /** Listens to the window's messages, which in a webview can come only from VS Code. */
  listen(target: Pick<Window, 'addEventListener'> = window): void {
    target.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.receive(data));
  }

  /**
   * Sends a request to the host. Rejects with `HostError` if the request fails on the host.
   * Aborting the signal cancels the request on the host.
   */
  request<K extends MethodOf<P, 'request'>>(
    method: K,
    params: ParamsOf<P, K>,
    signal?: AbortSignal,
  ): Promise<ResultOf<P, K>> {
    const definition = this.protocol[method];
    if (definition?.type !== 'request') throw new Error(`The host doesn't implement ${method}.`);
    const id = ++this.lastId;
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { isResult: definition.result, resolve, reject });
      signal?.addEventListener('abort', () => {
        if (!this.waiting.delete(id)) return;
        this.post({ type: 'cancel', id });
        reject(signal.reason as Error);
      });
      this.post({ type: 'request', id, method, params });
    }) as Promise<ResultOf<P, K>>;
  }

  /** Sends a command to the host. */
  send<K extends MethodOf<P, 'command'>>(method: K, params: ParamsOf<P, K>): void {
    this.post({ type: 'command', method, params });
  }

  /** Handles a message from the host. Ignores messages that don't match the protocol. */
  receive(message: unknown): void {
    if (!isToWebview(message)) return;
    if (message.type === 'notification') {
      this.notify(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.type === 'error') waiting.reject(new HostError(message.error));
    else if (waiting.isResult(message.result)) waiting.resolve(message.result);
    else waiting.reject(new HostError({ kind: 'internal', message: 'Unexpected answer.' }));
  }

  private notify(method: string, params: unknown): void {
    const definition = Object.hasOwn(this.protocol, method) ? this.protocol[method] : undefined;
    if (definition?.type !== 'notification' || !definition.params(params)) return;
    const handlers: Readonly<Record<string, (params: never) => void>> = this.handlers;
    handlers[method]?.(params as never);
  }

  private post(message: ToHost): void {
    this.api.postMessage(message);
  }
}

/** Converts an error to a message for the user and its recovery actions. */
export function toErrorState(error: unknown): ErrorState {
  const action = error instanceof HostError ? error.action : undefined;
  return {
    message: error instanceof Error ? error.message : String(error),
    recovery: toRecoveryAction(action),
  };
}

interface RecoveryHost {
  send(method: HostRecoveryAction, params: undefined): void;
}

/**
 * Creates the recovery actions for a page. The page retries on its own; its host handles the other
 * actions.
 */
export function createRecoveryHandlers(host: RecoveryHost, retry: () => void): RecoveryHandlers {
  return {
    retry,
    signIn: () => host.send('signIn', undefined),
    startLocalFleet: () => host.send('startLocalFleet', undefined),
  };
}
