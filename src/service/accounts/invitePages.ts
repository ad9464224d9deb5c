import { oneLine } from '../mail/mailContent';
import type { Acceptance } from './acceptInvite';
import { html, list } from './html';
import type { DeadLink } from './links';
import type { Page } from './page';

const DEAD_LINKS: Record<DeadLink, Omit<Page, 'body'> & { text: string }> = {
  used: {
    status: 410,
    title: 'This invitation was accepted already',
    text:
      'Its link works once. If it was you who opened it, you are a member: sign in with your ' +
      'address. If it was not, ask the person who invited you to remove that member.',
  },
  expired: {
    status: 410,
    title: 'This invitation has expired',
    text: 'Ask the person who invited you to send it again: the new message has a new link.',
  },
  unknown: {
    status: 404,
    title: 'There is no such invitation',
    text:
      'It may have been withdrawn, or a newer message has replaced it. Open the link of the ' +
      'newest message, or ask the person who invited you to send it again.',
  },
};

/** What the link of an invite shows. */
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
    body: html`<p>The invitation for ${email} is accepted. Your roles:</p>
      ${list(roles)}
      <h2>What to do next</h2>
      <p>
        The editor signs in with an API key. <a href="/sign-in">Sign in with your address</a> to
        make one, then run the command “Fleetwright: Sign In…” in VS Code.
      </p>`,
  };
}

const signInHint = html`<p><a href="/sign-in">Sign in with your address</a></p>`;
