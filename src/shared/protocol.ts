import { isRecord } from '../base/isRecord';
import {
  type Guard,
  type Guarded,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
} from './guards';

/** A request from the webview to the host, with a response. */
export interface RequestDefinition<Params, Result> {
  readonly type: 'request';
  readonly params: Guard<Params>;
  readonly result: Guard<Result>;
}

/** A command from the webview to the host, without a response. */
export interface CommandDefinition<Params> {
  readonly type: 'command';
  readonly params: Guard<Params>;
}

/** A notification from the host to the webview. */
export interface NotificationDefinition<Params> {
  readonly type: 'notification';
  readonly params: Guard<Params>;
}

/** All messages between one webview app and its host. */
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

/**
 * The host's handlers for all messages from a webview. A missing handler causes a compile error.
 */
export type HostHandlers<P> = {
  readonly [K in MethodOf<P, 'request'>]: (
    params: ParamsOf<P, K>,
    signal: AbortSignal,
  ) => Promise<ResultOf<P, K>>;
} & {
  readonly [K in MethodOf<P, 'command'>]: (params: ParamsOf<P, K>) => unknown;
};

/**
 * A webview's handlers for all messages from the host. A missing handler causes a compile error.
 */
export type WebviewHandlers<P> = {
  readonly [K in MethodOf<P, 'notification'>]: (params: ParamsOf<P, K>) => void;
};

const isWireError = isShape({
  kind: isString,
  message: isString,
  /** ID of the recovery action, which the webview and the host share. */
  action: isOptional(isString),
});
/** Serialized error, without stack and cause. */
export type WireError = Guarded<typeof isWireError>;

/** A message from the webview to its host. */
export type ToHost =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly params?: unknown;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'command'; readonly method: string; readonly params?: unknown };

/** A message from the host to its webview. */
export type ToWebview =
  | { readonly type: 'result'; readonly id: number; readonly result?: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError }
  | { readonly type: 'notification'; readonly method: string; readonly params?: unknown };

/**
 * Validates the envelope around a message to the host. The message's definition validates the
 * payload.
 */
export const isToHost: Guard<ToHost> = (value): value is ToHost => {
  if (!isRecord(value) || !isOneOf('request', 'cancel', 'command')(value.type)) return false;
  const hasId = value.type === 'command' || isNumber(value.id);
  return hasId && (value.type === 'cancel' || isString(value.method));
};

/** Validates the envelope around a message to a webview. */
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
