/** A message to one address, in the two forms that mail programs choose from. */
export interface Mail {
  /** A bare address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Takes messages: to a mail server, or into files. */
export interface Mailer {
  /** @throws MailError when the message was not taken. */
  send(mail: Mail): Promise<void>;
}

/** A message was not taken. The message says why, in words without credentials. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Takes messages and forgets them: for fleets that live in memory and have no readers. */
export const discardingMailer: Mailer = { send: () => Promise.resolve() };
