import { type Mail, type Mailer, MailError } from '../../src/service/mail/mailer';

const LINK = /^https?:\/\/\S+$/m;

/** Collects messages for assertions; rejects messages while `rejection` is set. */
export class RecordingMailer implements Mailer {
  readonly mails: Mail[] = [];
  rejection: string | undefined;

  send(mail: Mail): Promise<void> {
    if (this.rejection !== undefined) return Promise.reject(new MailError(this.rejection));
    this.mails.push(mail);
    return Promise.resolve();
  }

  /** Returns the messages that were sent to an address, oldest first. */
  to(address: string): Mail[] {
    return this.mails.filter((mail) => mail.to === address);
  }

  /** Returns the link in the newest message to an address. */
  linkTo(address: string): string {
    const [link] = LINK.exec(this.to(address).at(-1)?.text ?? '') ?? [];
    if (link === undefined) throw new Error(`no message with a link for ${address}`);
    return link;
  }
}
