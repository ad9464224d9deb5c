import { randomBytes } from 'node:crypto';
import type { HttpResponse } from '../server/http';
import { Html, html } from './html';
import { PAGE_STYLE } from './pageStyle';

/** Browser page without scripts or external content. */
export interface Page {
  status: number;
  title: string;
  body: Html;
  hasForm?: boolean;
}

const NONCE_BYTES = 16;

/** Sends a page with headers that prevent it from being cached, framed, or used as a referrer. */
export function sendPage(response: HttpResponse, { status, title, body, hasForm }: Page): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response.statusCode = status;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', policy.join('; '));
  // With `no-referrer`, browsers send forms with the origin "null", which the request guard
  // rejects.
  response.setHeader('referrer-policy', hasForm ? 'same-origin' : 'no-referrer');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(layout(title, body, nonce).text);
}

function layout(title: string, body: Html, nonce: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Fleetwright</title>
        <style nonce="${nonce}">
          ${new Html(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <main>
          <p class="product">Fleetwright</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}
