import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { findUnsafeCharacter } from '../../core/model/displayText';
import type { RequestValidator } from '../../core/validation/requestValidator';
import { type Principal, principalKey, resourcePathKey } from '../auth/principal';
import { invalid, stale } from '../errors';
import type { DocumentWork, LargeCall } from '../server/documentWork';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../store/micros';
import type { Editor } from '../store/parts';
import type { ResourcePath } from '../store/resourcePath';
import type { MachineSecrets } from '../store/secrets';
import type { Store } from '../store/store';
import { comparedTime } from './wireTimes';

/** What every handler works with. */
export interface HandlerDependencies {
  store: Store;
  machineSecrets: MachineSecrets;
  /** Runs long work on large documents in slices. */
  documentWork: DocumentWork;
  /** The present moment, later at every call. */
  now: () => Micros;
}

const FORBIDDEN_IN_TEXT = '\0';
/** Lists hold the texts of all their resources, and must fit into one message. */
const MAX_TEXT_LENGTH = 1000;

/** Who makes this call; the access interceptor has put it there. */
export function callerOf(context: HandlerContext): Principal {
  const principal = context.values.get(principalKey);
  if (principal === undefined) {
    throw new ConnectError('this call needs an access token', Code.Unauthenticated);
  }
  return principal;
}

/** Returns what `DocumentWork` needs to know about a call. */
export function toLargeCall(context: HandlerContext): LargeCall {
  return { caller: callerOf(context).identityId, signal: context.signal };
}

/** The resource that the request names and the caller was authorized on, with what contains it. */
export function resourcePathOf(context: HandlerContext): ResourcePath {
  const path = context.values.get(resourcePathKey);
  if (path === undefined) {
    throw new ConnectError("this call doesn't specify a resource", Code.Internal);
  }
  return path;
}

/** The caller as histories name it. */
export function editorOf(principal: Principal): Editor {
  return { type: principal.authenticationType, value: principal.identityId };
}

/**
 * The version that follows another: the present moment, or a millisecond after the old version
 * when the clock has not moved past it. Whole milliseconds, so that clients whose dates are no
 * finer send back the version they have read.
 */
export function versionAfter(old: Micros, now: Micros): Micros {
  return Math.max(wholeMillis(now), old + MICROS_PER_MILLI);
}

/**
 * Refuses an update by a caller who has not seen the present state (spec part 3, `last_known_update`).
 * @throws Aborted when the row is newer than what the caller has read, InvalidArgument when that is no time.
 */
export function checkNotStale(
  kind: string,
  row: { name: string; last_updated: Micros },
  lastKnownUpdate: Timestamp | undefined,
): void {
  if (lastKnownUpdate === undefined) return;
  if (row.last_updated > comparedTime(lastKnownUpdate, 'last_known_update')) {
    throw stale(
      `${kind} "${row.name}" was changed since it was read (last_known_update): read it again`,
    );
  }
}

/** How often an update is decided again before its caller is told to come back. */
const MAX_WRITE_ATTEMPTS = 50;

/**
 * Repeats an attempt to write over the version that is there until nobody wrote in between.
 * @param attempt one attempt, whose result is undefined when it did not write.
 * @returns the result of the last attempt.
 * @throws Aborted when others are faster time and again, and when the caller went away.
 */
export async function untilWritten<Result>(
  { signal }: HandlerContext,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let count = 0; count < MAX_WRITE_ATTEMPTS; count += 1) {
    signal.throwIfAborted();
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw stale('many callers are changing it at the same time: try again');
}

/**
 * Checks the first message of a stream by the contract's rules: it passes no interceptor that reads
 * it.
 * @throws InvalidArgument naming what is wrong.
 */
export function requireRules<Desc extends DescMessage>(
  validator: RequestValidator,
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  const problems = validator.validate(schema, message);
  if (problems.length > 0) {
    throw invalid(problems.join('; '));
  }
}

/**
 * A name that a person can read, on one line.
 * @throws InvalidArgument when it is blank or has a character that breaks or disguises the text around it, and as
 *   `requireText`.
 */
export function requireName(name: string, field = 'name'): string {
  if (name.trim() === '') {
    throw invalid(`${field}: must not be empty`);
  }
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
 * The name in an update. The present name can be older than the rules, and does not keep the caller from changing
 * something else.
 * @throws InvalidArgument as `requireName`, for another name.
 */
export function requireNameInUpdate(name: string, current: string): string {
  return name === current ? current : requireName(name);
}

/**
 * A text that every store can keep and every listing can hold; it may be empty.
 * @throws InvalidArgument when it is too long or has a character that PostgreSQL cannot keep.
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
