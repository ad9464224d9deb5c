import type { Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  type Interceptor,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect';
import type { RequestValidator } from '../../core/validation/requestValidator';
import type { Admit } from '../server/rpcListener';
import type { ResourcePath } from '../store/resourcePath';
import type { Store } from '../store/store';
import type { Authenticator } from './authenticator';
import type { AuthorizationRule, AuthorizationTable } from './authorizationTable';
import { requireMember, requirePermission } from './authorizer';
import {
  admissionErrorKey,
  callerAddressKey,
  type Principal,
  principalKey,
  resourcePathKey,
  toFairCaller,
  toRateKey,
} from './principal';
import type { Micros } from '../store/micros';
import { recordContact } from '../store/parts';

/**
 * Returns an interceptor that runs before every handler. It checks the caller (token), the request
 * (contract constraints), and the permission (authorization table), in an order that doesn't reveal
 * resources to callers who send invalid requests.
 */
export function accessInterceptor(
  store: Store,
  authenticator: Pick<Authenticator, 'principal'>,
  table: AuthorizationTable,
  validator: RequestValidator,
): Interceptor {
  return (next) => async (request) => {
    const error = request.contextValues.get(admissionErrorKey);
    if (error !== undefined) throw error;
    const rule = table.ruleFor(request.method);
    const principal =
      rule?.kind === 'public'
        ? undefined
        : (request.contextValues.get(principalKey) ??
          (await authenticator.principal(request.header.get('authorization'))));
    if (rule === undefined) {
      throw new ConnectError(`${request.method.name} is not implemented`, Code.Unimplemented);
    }
    const [message, passed] = await readRequest(request);
    if (message === undefined && !isBlind(rule)) {
      throw new Error(`${request.method.name} is a stream: its rule cannot read the first message`);
    }
    if (message !== undefined) {
      const problems = validator.validate(request.method.input, message);
      if (problems.length > 0) throw new ConnectError(problems.join('; '), Code.InvalidArgument);
    }
    if (principal !== undefined) {
      request.contextValues.set(principalKey, principal);
      const path = await authorize(store, principal, rule, message);
      request.contextValues.set(resourcePathKey, path);
    }
    return next(passed);
  };
}

/**
 * Returns the function that `accessInterceptor` uses to identify the caller of an RPC from its
 * headers. If the database fails, the interceptor throws the error, so that it is converted like those
 * of handlers.
 */
export function createAdmission(
  authenticator: Pick<Authenticator, 'principal'>,
  table: AuthorizationTable,
): Admit {
  return async (method, { authorization, address }) => {
    const values = createContextValues().set(callerAddressKey, address);
    if (table.ruleFor(method)?.kind === 'public') {
      return { values, caller: [address ?? ''], isKnown: false };
    }
    try {
      values.set(principalKey, await authenticator.principal(authorization));
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.Unauthenticated) throw error;
      values.set(admissionErrorKey, error as Error);
    }
    const principal = values.get(principalKey);
    if (principal === undefined) return { values, caller: [address ?? ''], isKnown: false };
    const caller = toFairCaller(principal, address);
    return { values, caller, isKnown: true, rateKey: toRateKey(principal) };
  };
}

type AnyRequest = UnaryRequest | StreamRequest;

/**
 * Returns the request message and the request to pass on. The request of a server-streaming RPC
 * arrives as a stream with exactly one message. For a client stream, the first message can be
 * delayed, so the handler reads it.
 */
async function readRequest(request: AnyRequest): Promise<[Message | undefined, AnyRequest]> {
  if (!request.stream) return [request.message, request];
  if (request.method.methodKind !== 'server_streaming') return [undefined, request];
  const messages: Message[] = [];
  for await (const message of request.message) {
    messages.push(message);
    if (messages.length > 1) {
      // The router rejects additional messages.
      break;
    }
  }
  if (messages.length === 0) throw new ConnectError('the request is missing', Code.InvalidArgument);
  return [messages[0], { ...request, message: toStream(messages) }];
}

async function* toStream(messages: readonly Message[]): AsyncGenerator<Message> {
  yield* await Promise.resolve(messages);
}

/** Returns true if a rule can be checked without the request message. */
function isBlind({ kind }: AuthorizationRule): boolean {
  return kind === 'public' || kind === 'identity' || kind === 'filtered';
}

async function authorize(
  store: Store,
  principal: Principal,
  rule: AuthorizationRule,
  request: unknown,
): Promise<ResourcePath | undefined> {
  switch (rule.kind) {
    case 'public':
    case 'filtered':
      return undefined;
    case 'identity':
      if (principal.identityType === 'part' || principal.identityType === 'location') {
        throw new ConnectError("machines can't call this method", Code.PermissionDenied);
      }
      return undefined;
    case 'member':
      requireMember(principal, rule.organizationId(request as never));
      return undefined;
    case 'self':
      if (principal.partId === undefined || principal.partId !== rule.partId(request as never)) {
        throw new ConnectError(
          'only the part itself can call this method, signed in with its secret or the secret of its location',
          Code.PermissionDenied,
        );
      }
      return undefined;
    case 'permission':
      return requirePermission(store, principal, rule.permission, rule.resource(request as never));
  }
}

/**
 * Precision in microseconds of recorded contacts. Machines poll every few seconds, and recording
 * every poll would cause unnecessary writes.
 */
const PRECISION_MICROS = 10_000_000;

/**
 * Records that a part has made a call of any kind. Must run after the interceptor that identifies
 * the caller.
 */
export function contactInterceptor(store: Store, now: () => Micros): Interceptor {
  return (next) => async (request) => {
    const { partId } = request.contextValues.get(principalKey) ?? {};
    if (partId !== undefined) await recordContact(store, [partId], now(), PRECISION_MICROS);
    return next(request);
  };
}
