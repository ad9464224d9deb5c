import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { cut, findUnsafeCharacter, isBlank } from '../../core/model/displayText';
import type { RequestValidator } from '../../core/validation/requestValidator';
import {
  callerAddressKey,
  type Principal,
  principalKey,
  resourcePathKey,
  toFairCaller,
} from '../auth/principal';
import { invalid } from '../errors';
import type { DocumentWork, LargeCall } from '../server/documentWork';
import type { Micros } from '../store/micros';
import type { ResourcePath } from '../store/resourcePath';
import type { MachineSecrets } from '../store/secrets';
import type { Store } from '../store/store';

/** Dependencies of all handlers. */
export interface HandlerDependencies {
  store: Store;
  machineSecrets: MachineSecrets;
  /** Runs long work on large documents in slices. */
  documentWork: DocumentWork;
  /** Returns the current time, which strictly increases with every call. */
  now: () => Micros;
}

const FORBIDDEN_IN_TEXT = '\0';
/**
 * Maximum length of a string. A list contains the strings of all its resources and must fit in one
 * message.
 */
const MAX_TEXT_LENGTH = 1000;

/** Returns the caller, which the access interceptor has stored in the context. */
export function getCaller(context: HandlerContext): Principal {
  const principal = context.values.get(principalKey);
  if (principal === undefined) {
    throw new ConnectError('this call needs an access token', Code.Unauthenticated);
  }
  return principal;
}

/** Returns the information about a call that `DocumentWork` requires. */
export function toLargeCall(context: HandlerContext): LargeCall {
  const address = context.values.get(callerAddressKey);
  return { caller: toFairCaller(getCaller(context), address), signal: context.signal };
}

/**
 * Returns the path of the resource that the request specifies, including its ancestors. The caller
 * has already been authorized for this resource.
 */
export function getResourcePath(context: HandlerContext): ResourcePath {
  const path = context.values.get(resourcePathKey);
  if (path === undefined) {
    throw new ConnectError("this call doesn't specify a resource", Code.Internal);
  }
  return path;
}

/**
 * Validates the first message in a stream against the contract's rules, because interceptors don't
 * read it.
 * @throws InvalidArgument with a description of the error.
 */
export function requireRules<Desc extends DescMessage>(
  validator: RequestValidator,
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  const problems = validator.validate(schema, message);
  if (problems.length > 0) throw invalid(problems.join('; '));
}

/**
 * Validates a human-readable, single-line name.
 * @throws InvalidArgument if the name is blank or contains a character that disrupts or disguises
 *   the surrounding text, and the errors from `requireText`.
 */
export function requireName(name: string, field = 'name'): string {
  if (name.trim() === '') throw invalid(`${field}: must not be empty`);
  if (isBlank(name)) throw invalid(`${field}: must contain a visible character`);
  const character = findUnsafeCharacter(name);
  if (character !== undefined) {
    throw invalid(
      `${field}: must not contain the character ${character}: remove it; names can't have line breaks, control ` +
        'characters, or text direction marks',
    );
  }
  return requireText(name, field);
}

/**
 * Returns a name that is derived from another name. Shortens the other name if the result would
 * otherwise be too long.
 */
export function deriveName(name: string, suffix: string): string {
  return `${cut(name, MAX_TEXT_LENGTH - suffix.length)}${suffix}`;
}

/**
 * Validates the name in an update. The current name might predate the rules. In that case, the
 * caller can still change other fields.
 * @throws the errors of `requireName`, if the name changes.
 */
export function requireNameInUpdate(name: string, current: string): string {
  return name === current ? current : requireName(name);
}

/**
 * Validates a string, which can be empty. Ensures that every store can save it and every list can
 * contain it.
 * @throws InvalidArgument if it is too long or contains a character that PostgreSQL can't store.
 */
export function requireText(text: string, field: string): string {
  if (text.length > MAX_TEXT_LENGTH) {
    throw invalid(`${field}: must not be longer than ${String(MAX_TEXT_LENGTH)} characters`);
  }
  if (text.includes(FORBIDDEN_IN_TEXT)) {
    throw invalid(`${field}: must not contain the character U+0000`);
  }
  return text;
}
