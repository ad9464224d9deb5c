import type { Logger } from '../../base/logger';
import type { HandlerDependencies } from '../handlers/handlerSupport';
import {
  type HttpRequest,
  type HttpResponse,
  type HttpRoute,
  getRequestPath,
  rejectRequest,
} from '../server/http';
import { logInternalError } from '../server/internalErrorInterceptor';
import { isDatabaseDamaged, toStoreError } from '../store/storeErrors';
import { acceptInvite } from './acceptInvite';
import { readForm } from './formBody';
import { html } from './html';
import { acceptancePage } from './invitePages';
import type { PageUrl } from './links';
import { type Page, sendPage } from './page';
import { openSignInLink } from './signIn';
import { linkRequestedPage, signedInPage, signInPage, userKeyPage } from './signInPages';
import { createUserKey } from './userKey';

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
export function accountRoute(options: AccountRouteOptions): HttpRoute {
  return (request, response) => {
    const path = getRequestPath(request);
    if (!isAccountPage(path)) {
      return false;
    }
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
  if (path === SIGN_IN_PATH) {
    return signInPage;
  }
  const [, signInToken] = SIGN_IN_LINK_PATH.exec(path) ?? [];
  if (signInToken !== undefined) {
    return signedInPage(await openSignInLink(options, signInToken));
  }
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
