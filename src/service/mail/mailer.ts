/** Message to one address, as plain text and as HTML. */
export interface Mail {
  /** Address without a display name. */
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

/**
 * Error for a message that wasn't accepted. The error's text contains the reason, without
 * credentials.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Discards messages. For in-memory fleets, whose messages no one reads. */
export const discardingMailer: Mailer = { send: () => Promise.resolve() };
