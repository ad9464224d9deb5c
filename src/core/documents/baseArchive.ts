import type { VersionToken } from '../model/versionToken';
import type { KeyValue } from '../ports';
import type { Snapshot } from './configSource';

const KEY_PREFIX = 'documents.base:';

/**
 * Maximum total length of the texts of one document, because the storage is intended for small
 * values. If the base is larger, saving the document prompts the user. Unconfirmed texts are
 * removed, oldest first.
 */
const MAX_TEXT_LENGTH = 256 * 1024;

/** State from which unsaved edits started. */
export interface EditBase {
  readonly snapshot: Snapshot;
  /**
   * Texts that were sent since then and got no response. The service might have stored one of them.
   */
  readonly unconfirmed: readonly string[];
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
    return { snapshot: { text, version, name }, unconfirmed: toTexts(unconfirmed) };
  }

  async save(uri: string, { snapshot, unconfirmed }: EditBase): Promise<void> {
    const { text, version, name } = snapshot;
    const isSmall = text.length <= MAX_TEXT_LENGTH;
    const newest = takeNewest(unconfirmed, MAX_TEXT_LENGTH - text.length);
    const stored = { text, version, name, ...(newest.length > 0 && { unconfirmed: newest }) };
    await this.storage.update(KEY_PREFIX + uri, isSmall ? stored : undefined);
  }

  async forget(uri: string): Promise<void> {
    if (this.storage.get(KEY_PREFIX + uri) === undefined) return;
    await this.storage.update(KEY_PREFIX + uri, undefined);
  }
}

/** Returns the newest texts that together have at most `maxLength` characters. */
function takeNewest(texts: readonly string[], maxLength: number): readonly string[] {
  let length = 0;
  const firstTooLong = texts.findLastIndex((text) => (length += text.length) > maxLength);
  return texts.slice(firstTooLong + 1);
}

function isSnapshot(value: unknown): value is Snapshot & { readonly unconfirmed?: unknown } {
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
