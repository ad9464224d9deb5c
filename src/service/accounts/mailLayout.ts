import type { Mail } from '../mail/mailer';
import { dateFromMicros, type Micros } from '../store/micros';
import { Html, html, list } from './page';

/**
 * Matches the positions at which to wrap a line of words. Links contain no spaces, so they are
 * never wrapped.
 */
const BREAKS = /(?=.{73})(.{1,72}) /g;

interface Letter {
  to: string;
  subject: string;
  /** Text before the link. */
  opening: string;
  /** Descriptions of the roles. */
  roles?: readonly string[];
  /** Label of the link button. */
  act: string;
  url: string;
  /** Notes about the link. */
  closing: string;
}

const FONT = 'font-family: system-ui, -apple-system, Segoe UI, Roboto, sans-serif';
const BUTTON =
  'display: inline-block; padding: 10px 18px; border-radius: 6px; background: #0b5cad; ' +
  'color: #ffffff; text-decoration: none; font-weight: 600';

/** Returns an email with one link, in plain text and self-contained HTML. */
export function letter({ to, subject, opening, roles = [], act, url, closing }: Letter): Mail {
  const promised =
    roles.length === 0 ? [] : ['Your roles:', ...roles.map((role) => `- ${role}`), ''];
  const lines = [opening, '', ...promised, `${act}:`, url, '', closing, ''];
  const body = html`<!doctype html>
    <html lang="en">
      <body style="${FONT}; font-size: 15px; line-height: 1.5">
        <p>${opening}</p>
        ${
          roles.length === 0
            ? new Html('')
            : html`<p>Your roles:</p>
                ${list(roles)}`
        }
        <p><a href="${url}" style="${BUTTON}">${act}</a></p>
        <p>Or open this address:<br /><a href="${url}">${url}</a></p>
        <p style="color: #59636e">${closing}</p>
      </body>
    </html>`;
  return { to, subject, text: plain(lines), html: body.text };
}

// Wraps lines and replaces typographic quotes. Mail servers don't reencode short ASCII lines, so
// links remain readable in raw messages.
function plain(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll(/[“”]/g, '"').replaceAll(BREAKS, '$1\n')).join('\n');
}

/** Formats a time in UTC, because the reader's time zone is unknown. */
export function formatTimestamp(timestamp: Micros): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(dateFromMicros(timestamp))} UTC`;
}
