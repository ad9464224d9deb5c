import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import type { Deployment } from './deployment';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Submits the form on which users request a sign-in link. */
export async function requestSignInLink(deployment: Deployment, email: string): Promise<Response> {
  return fetch(`${deployment.url}/sign-in`, {
    method: 'POST',
    headers: { ...FORM, origin: deployment.url },
    body: new URLSearchParams({ email }).toString(),
  });
}

/** Requests a sign-in link, waits for the message, and returns the page that the link opens. */
export async function signInByMail(deployment: Deployment, email: string): Promise<string> {
  const before = deployment.mailer.to(email).length;
  assert.equal((await requestSignInLink(deployment, email)).status, 200);
  await waitUntil(() => deployment.mailer.to(email).length > before, {
    describeState: () => `a message for ${email}`,
  });
  const answer = await fetch(deployment.mailer.linkTo(email));
  assert.equal(answer.status, 200);
  return answer.text();
}

/** Clicks the button on the page after sign-in; returns the response. */
export async function pressCreateKey(deployment: Deployment, page: string): Promise<Response> {
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];
  return fetch(`${deployment.url}/sign-in/key`, {
    method: 'POST',
    headers: { ...FORM, origin: deployment.url },
    body: new URLSearchParams({ token }).toString(),
  });
}

/** Returns the key on the page that shows it. */
export function keyOn(page: string): { id: string; key: string } {
  const texts = [...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, text]) => text);
  const [id = '', key = ''] = texts.slice(1);
  return { id, key };
}
