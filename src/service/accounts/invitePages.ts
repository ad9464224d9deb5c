import { oneLine } from '../mail/mailContent';
import type { Acceptance } from './acceptInvite';
import { html, list } from './html';
import type { DeadLink } from './links';
import type { Page } from './page';

const DEAD_LINKS: Record<DeadLink, Omit<Page, 'body'> & { text: string }> = {
  used: {
    status: 410,
    title: 'This invitation has already been accepted',
    text:
      'The link works once. If you opened it, you are a member: sign in with your ' +
      "email address. If you didn't, ask the person who invited you to remove that member.",
  },
  expired: {
    status: 410,
    title: 'This invitation has expired',
    text: 'Ask the person who invited you to send the invitation again. The new email has a new link.',
  },
  unknown: {
    status: 404,
    title: "This invitation doesn't exist",
    text:
      'It might have been canceled, or replaced by a newer email. Open the link in the ' +
      'newest email, or ask the person who invited you to send the invitation again.',
  },
};

/** Returns the page for an invitation link. */
export function acceptancePage(acceptance: Acceptance): Page {
  if (acceptance.kind !== 'accepted') {
    const { text, ...page } = DEAD_LINKS[acceptance.kind];
    return {
      ...page,
      body: html`<p>${text}</p>
        ${signInHint}`,
    };
  }
  const { organizationName, roles, email } = acceptance;
  return {
    status: 200,
    title: `Welcome to ${oneLine(organizationName)}`,
    body: html`<p>You accepted the invitation for ${email}. Your roles:</p>
      ${list(roles)}
      <h2>What to do next</h2>
      <p>
        The editor signs in with an API key. <a href="/sign-in">Sign in with your address</a> to
        create one, then run the command "Fleetwright: Sign In…" in VS Code.
      </p>`,
  };
}

const signInHint = html`<p><a href="/sign-in">Sign in with your address</a></p>`;
