import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../base/clock';
import { systemErrorCode } from '../process/commandError';
import { writePrivateFile } from '../process/privateFile';
import { mailContent } from './mailContent';
import { type Mail, MailError, type Mailer } from './mailer';

const OWNER_ONLY = 0o700;

/**
 * Writes each message as a file that mail programs open, `<time>-<random>.eml`, for whoever runs a
 * service without a mail server. Only the owner of the directory reads them: they hold links.
 */
export class OutboxMailer implements Mailer {
  readonly #transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });

  constructor(
    private readonly directory: string,
    private readonly from: string,
    private readonly clock: Clock,
  ) {}

  async send(mail: Mail): Promise<void> {
    const date = this.clock.now();
    const { message } = await this.#transport.sendMail(mailContent(mail, this.from, date));
    // Sorts by time, and holds no character that a file system refuses.
    const stamp = date.toISOString().replaceAll(/[:.]/g, '-');
    const name = `${stamp}-${randomBytes(4).toString('hex')}.eml`;
    try {
      await mkdir(this.directory, { recursive: true, mode: OWNER_ONLY });
      await writePrivateFile(join(this.directory, name), message as Buffer);
    } catch (error) {
      throw new MailError(
        `the message cannot be written to ${this.directory} (${systemErrorCode(error) ?? String(error)})`,
        { cause: error },
      );
    }
  }
}
