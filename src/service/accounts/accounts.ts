import { setTimeout } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import {
  getRequestPath,
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  rejectRequest,
} from '../server/http';
import {
  createUserKey,
  type DeadLink,
  getLinkRejectionReason,
  openSignInLink,
  type PageUrl,
  sendSignInLink,
  type SignInDependencies,
} from './signIn';
import type { Logger } from '../../base/logger';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import { logInternalError } from '../server/callRecord';
import { isDatabaseDamaged, toStoreError } from '../store/storeErrors';
import { html, list, type Page, sendPage } from './page';
import { linkRequestedPage, signedInPage, signInPage, userKeyPage } from './signInPages';
import { oneLine } from '../mail/mailer';
import { hashSecret } from '../auth/accessTokens';
import { findInvite } from '../store/invites';
import { findLinkToken, useLinkToken } from '../store/linkTokens';
import { findOrganization } from '../store/organizations';
import { lockRow } from '../store/store';
import { describeRoles, joinByInvite } from './account';

const CLOSING_MS = 2_000;

/** Browser pages and emails for users who don't use an API key. */
export class Accounts {
  /** Route that serves the pages. */
  readonly route: HttpRoute;
  private readonly sending = new Set<Promise<void>>();

  constructor(dependencies: SignInDependencies) {
    const { logger } = dependencies;
    this.route = accountRoute({
      ...dependencies,
      sendSignInLink: (address) => {
        const sending = sendSignInLink(dependencies, address)
          .catch((error: unknown) => {
            logger.error('a sign-in link could not be created', { error: String(error) });
          })
          .finally(() => this.sending.delete(sending));
        this.sending.add(sending);
      },
    });
  }

  /** Waits briefly for messages that are still being sent. */
  async close(): Promise<void> {
    const grace = new AbortController();
    await Promise.race([
      Promise.all(this.sending),
      setTimeout(CLOSING_MS, undefined, { signal: grace.signal, ref: false }).catch(
        () => undefined,
      ),
    ]);
    grace.abort();
  }
}

/**
 * Paths of the service's pages. Browsers submit the forms on these pages from the service's own
 * origin.
 */
const PAGE_PATH = /^\/(invites|sign-in)(\/|$)/;
const INVITE_PATH = /^\/invites\/([^/]*)$/;
const SIGN_IN_LINK_PATH = /^\/sign-in\/(.*)$/;
const SIGN_IN_PATH = '/sign-in';
const KEY_PATH = '/sign-in/key';

export interface AccountRouteOptions extends HandlerDependencies {
  logger: Logger;
  pageUrl: PageUrl;
  /** Sends a link to an address in the background if the address is known. */
  sendSignInLink: (address: string) => void;
}

/** Returns true if a path belongs to one of the pages below. */
export function isAccountPage(path: string): boolean {
  return PAGE_PATH.test(path);
}

/** Serves the browser pages for accepting invitations and for signing in with an email address. */
function accountRoute(options: AccountRouteOptions): HttpRoute {
  return (request, response) => {
    const path = getRequestPath(request);
    if (!isAccountPage(path)) return false;
    handleAccountRequest(options, path, request, response).catch((error: unknown) => {
      fail(options.logger, response, error);
    });
    return true;
  };
}

async function handleAccountRequest(
  options: AccountRouteOptions,
  path: string,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const takesForms = path === SIGN_IN_PATH || path === KEY_PATH;
  const takesLinks = path !== KEY_PATH;
  if (request.method === 'POST' && takesForms) {
    const form = await readForm(request);
    if (form instanceof URLSearchParams) {
      sendPage(response, await pageForForm(options, path, form));
    } else {
      rejectRequest(request, response, form, 'This is not a form of this service.');
    }
  } else if (request.method !== 'GET' || !takesLinks) {
    // HEAD is not allowed either. Programs that check links before users open them must not use up
    // the links.
    response.setHeader('allow', [takesLinks && 'GET', takesForms && 'POST'].filter(Boolean).join());
    rejectRequest(request, response, 405, 'Open this page with a browser.');
  } else if (isPrefetch(request)) {
    rejectRequest(request, response, 503, 'This page can only be opened by following a link.');
  } else {
    sendPage(response, await pageForLink(options, path));
  }
}

async function pageForLink(options: AccountRouteOptions, path: string): Promise<Page> {
  if (path === SIGN_IN_PATH) return signInPage;
  const [, signInToken] = SIGN_IN_LINK_PATH.exec(path) ?? [];
  if (signInToken !== undefined) return signedInPage(await openSignInLink(options, signInToken));
  const [, inviteToken = ''] = INVITE_PATH.exec(path) ?? [];
  return acceptancePage(await acceptInvite(options, inviteToken));
}

async function pageForForm(
  options: AccountRouteOptions,
  path: string,
  form: URLSearchParams,
): Promise<Page> {
  if (path === KEY_PATH) {
    return userKeyPage(await createUserKey(options, form.get('token') ?? ''), options.pageUrl(''));
  }
  // Runs in the background, because the response time would otherwise reveal whether the address is
  // known.
  options.sendSignInLink(form.get('email') ?? '');
  return linkRequestedPage;
}

function fail(logger: Logger, response: HttpResponse, error: unknown): void {
  const isBusy = toStoreError(error) !== undefined && !isDatabaseDamaged(error);
  const reason = isBusy ? 'Try again in a moment.' : logInternalError(logger, 'a page', error);
  if (response.headersSent || response.destroyed) {
    response.destroy();
  } else {
    const title = isBusy ? 'Not now' : 'Something went wrong';
    sendPage(response, { status: isBusy ? 503 : 500, title, body: html`<p>${reason}</p>` });
  }
}

/** Returns true if a browser is prefetching a link, which the browser indicates in a header. */
function isPrefetch({ headers }: HttpRequest): boolean {
  return String(headers['sec-purpose'] ?? headers.purpose).includes('prefetch');
}

/** Maximum form size in bytes; each form has only one short field. */
const MAX_BYTES = 8 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Returns a form's fields, or the HTTP status if they can't be read. */
async function readForm(request: HttpRequest): Promise<URLSearchParams | 413 | 415> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) return 415;
  const chunks: Buffer[] = [];
  let size = 0;
  // The request must not be destroyed if reading stops early, because the response uses the same
  // connection.
  const body: Readable = request;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return 413;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Result of opening an invitation link. */
type Acceptance =
  | { kind: 'accepted'; email: string; organizationName: string; roles: string[] }
  | { kind: DeadLink };

/**
 * Accepts the invitation for which a link was emailed. The address becomes a member with the
 * promised roles, and the link becomes invalid. If the link is opened more than once concurrently,
 * exactly one request succeeds.
 */
async function acceptInvite(
  { store, now }: HandlerDependencies,
  token: string,
): Promise<Acceptance> {
  const hash = hashSecret(token);
  return store.transaction().execute(async (transaction) => {
    const link = await findLinkToken(transaction, 'invite', hash);
    if (!link?.organization_id) return { kind: 'unknown' };
    const key = { organization_id: link.organization_id, email: link.email };
    // All changes to members lock rows in this order: first the organization, then its records.
    await lockRow(transaction, 'organizations', key.organization_id);
    const invite = await findInvite(transaction, key);
    const timestamp = now();
    if (invite === undefined || !(await useLinkToken(transaction, hash, timestamp))) {
      return { kind: getLinkRejectionReason(await findLinkToken(transaction, 'invite', hash)) };
    }
    await joinByInvite(transaction, invite, timestamp);
    const organization = await findOrganization(transaction, key.organization_id);
    return {
      kind: 'accepted',
      email: key.email,
      organizationName: organization?.name ?? '',
      roles: await describeRoles(transaction, invite.roles),
    };
  });
}

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
function acceptancePage(acceptance: Acceptance): Page {
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
