import type { VersionToken } from '../model/versionToken';
import type { KeyValue } from '../ports';
import type { Snapshot } from './configSource';

const KEY_PREFIX = 'documents.base:';

/** Larger texts are not kept: the storage is meant for small values. Such a document asks at save. */
const MAX_TEXT_LENGTH = 256 * 1024;

/**
 * Remembers across window reloads what unsaved edits started from. VS Code restores the edits from its
 * backup; without their base a save could not tell whether somebody else changed the document since.
 */
export class BaseArchive {
  constructor(private readonly storage: KeyValue) {}

  get(uri: string): Snapshot | undefined {
    const kept = this.storage.get(KEY_PREFIX + uri);
    return isSnapshot(kept) ? kept : undefined;
  }

  async keep(uri: string, { text, version, name }: Snapshot): Promise<void> {
    const small = text.length <= MAX_TEXT_LENGTH;
    await this.storage.update(KEY_PREFIX + uri, small ? { text, version, name } : undefined);
  }

  async forget(uri: string): Promise<void> {
    if (this.storage.get(KEY_PREFIX + uri) === undefined) return;
    await this.storage.update(KEY_PREFIX + uri, undefined);
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false;
  const { text, name, version } = value as Partial<Record<keyof Snapshot, unknown>>;
  const versionFits = version === undefined || isVersionToken(version);
  return typeof text === 'string' && typeof name === 'string' && versionFits;
}

function isVersionToken(value: unknown): value is VersionToken {
  return typeof value === 'string' && /^-?\d+\.\d{9}$/.test(value);
}
