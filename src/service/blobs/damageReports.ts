import type { ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { dataLoss } from '../errors';
import { DamagedBlob } from './blobChecks';

const MAX_LOGGED_IDS = 10_000;

/** Problem of content that has a record but no file. */
export const MISSING_BLOB = new DamagedBlob('its file is missing');

/** User-visible owner of content. */
export interface ContentOwner {
  /** Kind of owner, such as `binary data`. */
  readonly kind: string;
  readonly id: string;
  /** SHA-256 hash of the content, which is also the name of its file. */
  readonly hash: string;
}

/** Logs damaged contents, each only once. */
export class DamageReports {
  readonly #logged = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Logs damaged content, and returns the error for its reader. */
  report({ kind, id, hash }: ContentOwner, { problem }: DamagedBlob): ConnectError {
    const entry = `${kind} ${id} ${problem}`;
    if (!this.#logged.has(entry)) {
      if (this.#logged.size >= MAX_LOGGED_IDS) this.#logged.clear();
      this.#logged.add(entry);
      this.logger.error('a file is damaged', { kind, id, problem, file: hash });
    }
    return dataLoss(
      `the content of ${kind} "${id}" is damaged on the disk of the fleet service: ${problem}; ` +
        'restore it from a backup, upload the same file again, or delete it',
    );
  }
}
