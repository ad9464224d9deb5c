import { randomBytes } from 'node:crypto';
import type { HttpResponse } from '../server/http';

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

/** Style of all pages: the system font, and the reader's light or dark theme. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f7; --card: #ffffff; --ink: #1c2128; --soft: #57606a; --line: #d5dbe1;
  --accent: #0b5cad; --on-accent: #ffffff; --field: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --card: #1d2126; --ink: #e6e9ed; --soft: #9aa4af; --line: #363d45;
    --accent: #6cb6ff; --on-accent: #0d1117; --field: #14171b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: min(34rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 10px;
  background: var(--card); overflow-wrap: anywhere;
}
.product { margin: 0 0 1.25rem; color: var(--soft); font-size: .875rem; letter-spacing: .02em; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
p { margin: .75rem 0; }
ul { margin: .25rem 0 .75rem; padding-left: 1.25rem; }
a { color: var(--accent); }
.soft { color: var(--soft); font-size: .9rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input[type="email"] {
  width: 100%; padding: .6rem .7rem; border: 1px solid var(--soft); border-radius: 6px;
  background: var(--field); color: inherit; font: inherit;
}
button {
  margin-top: 1rem; padding: .6rem 1.1rem; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
dt { margin-top: .75rem; color: var(--soft); font-size: .875rem; }
dd { margin: 0; }
code {
  display: block; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--ground); font: .95rem/1.4 ui-monospace, SFMono-Regular, Menlo, monospace;
  user-select: all;
}
`;

/** HTML created by `html`, which can be safely embedded in other HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlContent = Html | string | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML from a template. Escapes inserted strings. */
export function html(parts: TemplateStringsArray, ...values: HtmlContent[]): Html {
  return new Html(
    parts
      .map((part, index) => part + (index < values.length ? render(values[index]) : ''))
      .join(''),
  );
}

function render(value: HtmlContent | undefined): string {
  if (value instanceof Html) return value.text;
  return typeof value === 'object'
    ? value.map(({ text }) => text).join('')
    : (value ?? '').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Returns an unordered list of strings. */
export function list(items: readonly string[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`;
}
