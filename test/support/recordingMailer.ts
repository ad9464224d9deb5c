import { type Mail, MailError, type Mailer } from '../../src/service/mail/mailer';

const LINK = /^https?:\/\/\S+$/m;

/** Keeps messages for assertions; refuses them while `refusal` says why. */
export class RecordingMailer implements Mailer {
  readonly mails: Mail[] = [];
  refusal: string | undefined;

  send(mail: Mail): Promise<void> {
    if (this.refusal !== undefined) {
      return Promise.reject(new MailError(this.refusal));
    }
    this.mails.push(mail);
    return Promise.resolve();
  }

  /** The messages that an address got, the oldest first. */
  to(address: string): Mail[] {
    return this.mails.filter((mail) => mail.to === address);
  }

  /** The link in the newest message to an address. */
  linkTo(address: string): string {
    const [link] = LINK.exec(this.to(address).at(-1)?.text ?? '') ?? [];
    if (link === undefined) {
      throw new Error(`no message with a link for ${address}`);
    }
    return link;
  }
}
