import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { getErrorCode } from '../../base/errorCode';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { writePrivateFile } from '../files/privateFile';
import { type Mail, mailContent, type Mailer, MailError } from './mailer';

const OWNER_ONLY = 0o700;

interface OutboxOptions {
  /** Directory for the messages. Created when the first message is written. */
  directory: string;
  /** Sender, as `Name <address>` or only an address. */
  from: string;
  clock: Clock;
  /** Logs the location of messages, but not their contents. */
  logger: Logger;
}

/**
 * Writes each message to a file, `<time>-<random>.eml`, that mail programs can open. Used by
 * services without a mail server. Only the owner of the directory can read the messages, because
 * they contain links.
 */
export class OutboxMailer implements Mailer {
  private readonly transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });

  constructor(private readonly options: OutboxOptions) {}

  async send(mail: Mail): Promise<void> {
    const { directory, from, clock, logger } = this.options;
    const date = clock.now();
    const { message } = await this.transport.sendMail(mailContent(mail, from, date));
    // File names sort by time and contain only characters that all file systems allow.
    const stamp = date.toISOString().replaceAll(/[:.]/g, '-');
    const file = join(directory, `${stamp}-${randomBytes(4).toString('hex')}.eml`);
    try {
      await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
      await writePrivateFile(file, message as Buffer);
    } catch (error) {
      throw new MailError(
        `the message can't be written to ${directory} (${getErrorCode(error) ?? String(error)})`,
        { cause: error },
      );
    }
    logger.info('a message was written to the outbox', { file });
  }
}
