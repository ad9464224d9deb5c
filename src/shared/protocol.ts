import { type Guard, isNumber, isOneOf, isOptional, isRecord, isShape, isString } from './guards';

/** A question of the webview that the host answers. */
export interface RequestDefinition<Params, Result> {
  readonly type: 'request';
  readonly params: Guard<Params>;
  readonly result: Guard<Result>;
}

/** What the webview tells the host to do; there is no answer. */
export interface CommandDefinition<Params> {
  readonly type: 'command';
  readonly params: Guard<Params>;
}

/** What the host tells the webview. */
export interface NotificationDefinition<Params> {
  readonly type: 'notification';
  readonly params: Guard<Params>;
}

/** Everything that is said between one webview app and its host. */
export type Protocol = Readonly<
  Record<
    string,
    | RequestDefinition<never, unknown>
    | CommandDefinition<never>
    | NotificationDefinition<never>
    | RequestDefinition<unknown, unknown>
    | CommandDefinition<unknown>
    | NotificationDefinition<unknown>
  >
>;

export function request<Params, Result>(
  params: Guard<Params>,
  result: Guard<Result>,
): RequestDefinition<Params, Result> {
  return { type: 'request', params, result };
}

export function command<Params>(params: Guard<Params>): CommandDefinition<Params> {
  return { type: 'command', params };
}

export function notification<Params>(params: Guard<Params>): NotificationDefinition<Params> {
  return { type: 'notification', params };
}

/** The names of the messages of one type. */
export type MethodOf<P, Type extends 'request' | 'command' | 'notification'> = {
  [K in keyof P]: P[K] extends { readonly type: Type } ? K : never;
}[keyof P] &
  string;

export type ParamsOf<P, K extends keyof P> = P[K] extends { readonly params: Guard<infer T> }
  ? T
  : never;

export type ResultOf<P, K extends keyof P> = P[K] extends { readonly result: Guard<infer T> }
  ? T
  : never;

/** What the host does on each message of a webview: a missing one does not compile. */
export type HostHandlers<P> = {
  readonly [K in MethodOf<P, 'request'>]: (
    params: ParamsOf<P, K>,
    signal: AbortSignal,
  ) => Promise<ResultOf<P, K>>;
} & {
  readonly [K in MethodOf<P, 'command'>]: (params: ParamsOf<P, K>) => unknown;
};

/** What a webview does on each message of the host: a missing one does not compile. */
export type WebviewHandlers<P> = {
  readonly [K in MethodOf<P, 'notification'>]: (params: ParamsOf<P, K>) => void;
};

/** How an error travels: never a stack, never a cause. */
export interface WireError {
  readonly kind: string;
  readonly message: string;
  /** What the person can do about it, as a word both sides know. */
  readonly action?: string | undefined;
}

/** From the webview to its host. */
export type ToHost =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly params?: unknown;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'command'; readonly method: string; readonly params?: unknown };

/** From the host to its webview. */
export type ToWebview =
  | { readonly type: 'result'; readonly id: number; readonly result?: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError }
  | { readonly type: 'notification'; readonly method: string; readonly params?: unknown };

const isWireError = isShape<WireError>({
  kind: isString,
  message: isString,
  action: isOptional(isString),
});

/** The envelope of a message to the host; what it carries is checked by its definition. */
export const isToHost: Guard<ToHost> = (value): value is ToHost => {
  if (!isRecord(value) || !isOneOf('request', 'cancel', 'command')(value.type)) return false;
  const hasId = value.type === 'command' || isNumber(value.id);
  return hasId && (value.type === 'cancel' || isString(value.method));
};

/** The envelope of a message to a webview. */
export const isToWebview: Guard<ToWebview> = (value): value is ToWebview => {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'result':
      return isNumber(value.id);
    case 'error':
      return isNumber(value.id) && isWireError(value.error);
    case 'notification':
      return isString(value.method);
    default:
      return false;
  }
};
