import type { Event } from '../../base/emitter';
import type { VersionToken } from '../model/timestamp';
import type { AppliedMerge } from './jsonMerge';
import type { WireFormat, JsonProblem } from './jsonProblems';
import type { KeyValue } from '../ports';

/** A document's state on the service at a given time. */
export interface Snapshot {
  /** JSON text as the service stores it, or as serialized from its Struct. */
  readonly text: string;
  /**
   * Version of the document. Undefined if the service has no versions (metadata), in which case
   * changes can be detected only by comparing the content.
   */
  readonly version: VersionToken | undefined;
  /**
   * Current name of the resource. A config update also sends the name and must not undo a rename.
   */
  readonly name: string;
}

export interface WriteRequest {
  readonly text: string;
  readonly name: string;
  /**
   * Last known version, which is sent with the request. A service that checks it rejects the write
   * if the service has a newer version.
   */
  readonly lastKnownVersion: VersionToken | undefined;
}

/**
 * Storage of one document. All methods throw `FleetError`: `notFound` if the resource was deleted,
 * `conflict` if the service has a newer version than `lastKnownVersion`, `invalid` if it rejects
 * the content.
 */
export interface ConfigSource {
  readonly wireFormat: WireFormat;
  /** Reads the document from the service, bypassing caches. */
  read(signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Writes the document. Resolves with the state that the service reports after the write;
   * undefined if the service doesn't report it.
   */
  write(request: WriteRequest): Promise<Snapshot | undefined>;
  /** Fires when this window receives a hint that the resource was changed or deleted. */
  readonly onDidChange: Event<void>;
}

/**
 * Error thrown when the content on the service differs from the base of the edits. Nothing was
 * written.
 */
export class SaveConflictError extends Error {
  override readonly name = 'SaveConflictError';

  /** `base` is undefined if the base of the edits is unknown. */
  constructor(
    readonly base: Snapshot | undefined,
    readonly remote: Snapshot,
  ) {
    super('The document was changed remotely after it was loaded.');
  }
}

/** Error thrown when the user canceled a save. Nothing was sent. */
export class SaveCanceledError extends Error {
  override readonly name = 'SaveCanceledError';

  constructor() {
    super('The save was canceled.');
  }
}

/** Error thrown when the user must confirm a save that Auto Save started. Nothing was sent. */
export class ReviewRequiredError extends Error {
  override readonly name = 'ReviewRequiredError';

  /** @param summary sentences about the effects of the save */
  constructor(readonly summary: string) {
    super('The user must confirm the save.');
  }
}

/** Error thrown when the text is invalid. Nothing was sent. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError';

  constructor(readonly problems: readonly JsonProblem[]) {
    super("The document can't be saved as it is.");
  }
}

/** Error thrown when the service accepted the text but returned different content. */
export class ContentMismatchError extends Error {
  override readonly name = 'ContentMismatchError';

  constructor(readonly stored: Snapshot) {
    super('The service stored different content than was saved.');
  }
}

const KEY_PREFIX = 'documents.base:';

/**
 * Maximum total length of the text that is stored for one document, because the storage is intended
 * for small values. A longer base isn't stored, so saving the document prompts the user.
 * Unconfirmed contents are dropped oldest first, and merges before them.
 */
const MAX_TEXT_LENGTH = 256 * 1024;

/** State from which unsaved edits started. */
export interface EditBase {
  readonly snapshot: Snapshot;
  /**
   * Contents that have been sent since then but got no response. The service might have stored one
   * of them.
   */
  readonly unconfirmed: readonly string[];
  /** Merges that were applied to the edits since then, oldest first. */
  readonly merges?: readonly AppliedMerge[];
}

/**
 * Saves the base of unsaved edits so that it survives window reloads. VS Code restores the edits
 * from its backup, but without their base, a save couldn't detect that another user has changed the
 * document.
 */
export class BaseArchive {
  constructor(private readonly storage: KeyValue) {}

  get(uri: string): EditBase | undefined {
    const stored = this.storage.get(KEY_PREFIX + uri);
    if (!isSnapshot(stored)) return undefined;
    const { text, version, name, unconfirmed } = stored;
    const merges = toMerges(stored.merges);
    return {
      snapshot: { text, version, name },
      unconfirmed: toTexts(unconfirmed),
      ...(merges.length > 0 && { merges }),
    };
  }

  async save(uri: string, { snapshot, unconfirmed, merges = [] }: EditBase): Promise<void> {
    const { text, version, name } = snapshot;
    const isSmall = text.length <= MAX_TEXT_LENGTH;
    const room = MAX_TEXT_LENGTH - text.length;
    const newest = takeNewest(unconfirmed, room, ({ length }) => length);
    const used = newest.reduce((sum, { length }) => sum + length, 0);
    const newestMerges = takeNewest(
      merges,
      room - used,
      ({ remote, merged }) => remote.length + merged.length,
    );
    const stored = {
      text,
      version,
      name,
      ...(newest.length > 0 && { unconfirmed: newest }),
      ...(newestMerges.length > 0 && { merges: newestMerges }),
    };
    await this.storage.update(KEY_PREFIX + uri, isSmall ? stored : undefined);
  }

  async remove(uri: string): Promise<void> {
    if (this.storage.get(KEY_PREFIX + uri) === undefined) return;
    await this.storage.update(KEY_PREFIX + uri, undefined);
  }
}

/** Returns the newest items whose total length is at most `maxLength` characters. */
function takeNewest<T>(
  items: readonly T[],
  maxLength: number,
  getLength: (item: T) => number,
): readonly T[] {
  let length = 0;
  const firstTooLong = items.findLastIndex((item) => (length += getLength(item)) > maxLength);
  return items.slice(firstTooLong + 1);
}

function isSnapshot(
  value: unknown,
): value is Snapshot & { readonly unconfirmed?: unknown; readonly merges?: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { text, name, version } = value as Partial<Record<keyof Snapshot, unknown>>;
  const versionFits = version === undefined || isVersionToken(version);
  return typeof text === 'string' && typeof name === 'string' && versionFits;
}

function isVersionToken(value: unknown): value is VersionToken {
  return typeof value === 'string' && /^-?\d+\.\d{9}$/.test(value);
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function toMerges(value: unknown): readonly AppliedMerge[] {
  return Array.isArray(value) ? value.filter(isMerge) : [];
}

function isMerge(value: unknown): value is AppliedMerge {
  if (typeof value !== 'object' || value === null) return false;
  const { remote, merged } = value as Partial<Record<keyof AppliedMerge, unknown>>;
  return typeof remote === 'string' && typeof merged === 'string';
}
