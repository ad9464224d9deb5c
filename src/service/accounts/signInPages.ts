import { oneLine } from '../mail/mailer';
import type { Account } from './account';
import { Html, html, list, type Page } from './page';
import type { DeadLink, SignedIn, UserKey } from './signIn';

const again = html`<p><a href="/sign-in">Request a new link</a></p>`;

/** Page for requesting a sign-in link. */
export const signInPage: Page = {
  status: 200,
  title: 'Sign in',
  hasForm: true,
  body: html`<p>We'll send you a link. Open it to sign in and create an API key.</p>
    <form method="post" action="/sign-in">
      <label for="email">Email address</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        maxlength="254"
        autocomplete="email"
        autofocus
      />
      <button type="submit">Send Link</button>
    </form>`,
};

/**
 * Page shown after a request for a link. It is identical for every address so that it doesn't
 * reveal who is a member.
 */
export const linkRequestedPage: Page = {
  status: 200,
  title: 'Check your email',
  body: html`<p>
      If this address belongs to a member or has a pending invitation, we've sent it a sign-in link.
      The link works once, for 15 minutes.
    </p>
    <p class="soft">
      Didn't get it? Check your spam folder, or ask an owner of the organization to invite you. An
      address gets at most one email a minute.
    </p>`,
};

/** Returns the page for a sign-in link. */
export function signedInPage(result: SignedIn): Page {
  return result.kind === 'signedIn'
    ? accountPage(result.account, result.formToken)
    : deadLinkPage(DEAD_LINKS[result.kind]);
}

/**
 * Returns the page for the result of requesting a key.
 * @param address the service's URL for clients.
 */
export function userKeyPage(result: UserKey, address: string): Page {
  switch (result.kind) {
    case 'created':
      return createdPage({ ...result, address });
    case 'noRoles':
      return {
        status: 409,
        title: 'You no longer have any roles',
        body: html`<p>Ask an owner of the organization to invite you again.</p>`,
      };
    default:
      return deadLinkPage(DEAD_FORMS[result.kind]);
  }
}

function accountPage({ email, memberships, invitedTo }: Account, formToken: string): Page {
  const hasRoles = memberships.some(({ roles }) => roles.length > 0);
  return {
    status: 200,
    title:
      memberships.length === 0
        ? "You're not a member of any organization yet"
        : 'You are signed in',
    hasForm: hasRoles,
    body: html`<p>You are signed in as ${email}.</p>
      ${memberships.map(
        ({ organizationName, roles }) =>
          html`<h2>${oneLine(organizationName)}</h2>
            ${roles.length === 0 ? html`<p class="soft">No roles.</p>` : list(roles)}`,
      )}
      ${invitedTo.map(
        (name) =>
          html`<p>
            You are invited to ${oneLine(name)}. Open the link in the invitation to accept it. The
            person who invited you can send it again.
          </p>`,
      )}
      ${hasRoles ? keyForm(formToken) : new Html('')}`,
  };
}

function keyForm(formToken: string): Html {
  return html`<h2>API key</h2>
    <p>
      The editor and programs sign in with an API key. This key has exactly the roles above. It is
      deleted when you are removed from the organization.
    </p>
    <form method="post" action="/sign-in/key">
      <input type="hidden" name="token" value="${formToken}" />
      <button type="submit">Create API Key</button>
    </form>`;
}

interface CreatedKey {
  email: string;
  id: string;
  key: string;
  address: string;
}

function createdPage({ email, id, key, address }: CreatedKey): Page {
  return {
    status: 200,
    title: 'Your API key',
    body: html`<p>Copy the key now. You won't be able to see it again.</p>
      <dl>
        <dt>Address</dt>
        <dd><code>${address}</code></dd>
        <dt>API key ID</dt>
        <dd><code>${id}</code></dd>
        <dt>API key</dt>
        <dd><code>${key}</code></dd>
      </dl>
      <p>In VS Code, run the command "Fleetwright: Sign In…" and enter these values.</p>
      <p class="soft">
        The key is named ${email}. If you lose it or someone else sees it, delete or rotate it in
        the API keys of the organization.
      </p>`,
  };
}

type DeadPages = Readonly<Record<DeadLink, Pick<Page, 'status' | 'title'>>>;

const DEAD_LINKS: DeadPages = {
  used: { status: 410, title: 'This link has already been used' },
  expired: { status: 410, title: 'This link has expired' },
  unknown: { status: 404, title: 'This link does not exist' },
};

const DEAD_FORMS: DeadPages = {
  used: { status: 410, title: 'This form has already been used' },
  expired: { status: 410, title: 'This form has expired' },
  unknown: { status: 404, title: 'This form does not exist' },
};

function deadLinkPage(page: DeadPages[DeadLink]): Page {
  return {
    ...page,
    body: html`<p>It works once, for 15 minutes.</p>
      ${again}`,
  };
}
