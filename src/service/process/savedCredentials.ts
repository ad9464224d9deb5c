import type { Logger } from '../../base/logger';
import type { OwnerCredentials } from '../auth/bootstrap';
import { readCredentials, writeCredentials } from './credentialsFile';

/**
 * Credentials file of a running service. The file is updated when the owner's key is rotated. Every
 * reader therefore gets a valid key, and the next start doesn't have to create another key.
 */
export class SavedCredentials {
  private written: { readonly url: string; readonly owner: OwnerCredentials } | undefined;
  /** Writes are serialized, so the last one wins. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns the credentials of an earlier start; undefined if the file is missing or incomplete.
   */
  read(): Promise<OwnerCredentials | undefined> {
    return readCredentials(this.directory);
  }

  async write(url: string, owner: OwnerCredentials): Promise<void> {
    this.written = { url, owner };
    await writeCredentials(this.directory, url, owner);
  }

  /** Saves the new secret in the file if it belongs to the owner's key. Ignores other keys. */
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
      // The rotation is complete despite the error. The caller has the new key, and the next start
      // creates another one.
      this.logger.error("the credentials file doesn't contain the new key of the owner", {
        error: String(error),
      });
    }
  }
}
