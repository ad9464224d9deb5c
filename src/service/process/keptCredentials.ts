import type { Logger } from '../../base/logger';
import type { OwnerCredentials } from '../auth/bootstrap';
import { readCredentials, writeCredentials } from './credentialsFile';

/**
 * The credentials file of a running service. It follows the rotations of the key it names: anyone who
 * reads it signs in with a key that works, and the next start finds no reason to make another.
 */
export class KeptCredentials {
  private written: { readonly url: string; readonly owner: OwnerCredentials } | undefined;
  /** One write after the other, so that the last one stands. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly logger: Logger,
  ) {}

  /** The credentials of an earlier start; undefined when the file is gone or is not whole. */
  read(): Promise<OwnerCredentials | undefined> {
    return readCredentials(this.directory);
  }

  async write(url: string, owner: OwnerCredentials): Promise<void> {
    this.written = { url, owner };
    await writeCredentials(this.directory, url, owner);
  }

  /** Takes over the new secret of the key in the file; other keys are none of its business. */
  readonly keyRotated = async ({ id, key }: { id: string; key: string }): Promise<void> => {
    if (this.written?.owner.apiKeyId !== id) return;
    const { url, owner } = this.written;
    this.written = { url, owner: { ...owner, apiKey: key } };
    this.writing = this.writing.then(() => this.rewrite());
    await this.writing;
  };

  private async rewrite(): Promise<void> {
    if (this.written === undefined) return;
    const { url, owner } = this.written;
    try {
      await writeCredentials(this.directory, url, owner);
    } catch (error) {
      // The rotation has happened: the caller has the key, and the next start makes another one.
      this.logger.error("the credentials file doesn't contain the new key of the owner", {
        error: String(error),
      });
    }
  }
}
