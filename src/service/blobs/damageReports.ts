import type { ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { dataLoss } from '../errors';
import { DamagedBlob } from './blobChecks';

const MAX_LOGGED_IDS = 10_000;

/** Problem of a content whose record exists and whose file doesn't. */
export const MISSING_BLOB = new DamagedBlob('its file is missing');

/** User-visible owner of a content. */
export interface ContentOwner {
  /** Kind such as `binary data`. */
  readonly kind: string;
  readonly id: string;
  /** SHA-256 of the content, by which its file is named. */
  readonly hash: string;
}

/** Logs damaged contents, each of them once. */
export class DamageReports {
  readonly #logged = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Logs a damaged content, and returns the error for its reader. */
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
