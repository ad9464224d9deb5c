import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { systemErrorCode } from '../process/commandError';
import { writePrivateFile } from '../process/privateFile';
import { mailContent } from './mailContent';
import { type Mail, MailError, type Mailer } from './mailer';

const OWNER_ONLY = 0o700;

interface OutboxOptions {
  /** Made when the first message comes. */
  directory: string;
  /** `Name <address>` or an address. */
  from: string;
  clock: Clock;
  /** Is told where messages are, and nothing of what they say. */
  logger: Logger;
}

/**
 * Writes each message as a file that mail programs open, `<time>-<random>.eml`, for anyone who runs a
 * service without a mail server. Only the owner of the directory reads them: they hold links.
 */
export class OutboxMailer implements Mailer {
  readonly #transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });

  constructor(private readonly options: OutboxOptions) {}

  async send(mail: Mail): Promise<void> {
    const { directory, from, clock, logger } = this.options;
    const date = clock.now();
    const { message } = await this.#transport.sendMail(mailContent(mail, from, date));
    // Sorts by time, and holds no character that a file system refuses.
    const stamp = date.toISOString().replaceAll(/[:.]/g, '-');
    const file = join(directory, `${stamp}-${randomBytes(4).toString('hex')}.eml`);
    try {
      await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
      await writePrivateFile(file, message as Buffer);
    } catch (error) {
      throw new MailError(
        `the message can't be written to ${directory} (${systemErrorCode(error) ?? String(error)})`,
        { cause: error },
      );
    }
    logger.info('a message was written to the outbox', { file });
  }
}
