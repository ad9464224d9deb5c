/** A message to one address, as plain text and HTML. */
export interface Mail {
  /** A bare address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends messages to a mail server or writes them to files. */
export interface Mailer {
  /** @throws MailError if the message wasn't accepted. */
  send(mail: Mail): Promise<void>;
}

/** A message wasn't accepted. The error message gives the reason, without credentials. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Discards messages: for in-memory fleets without readers. */
export const discardingMailer: Mailer = { send: () => Promise.resolve() };
