import type { IncomingMessage } from 'node:http';
import type { Localizer } from '../../base/localizer';
import type { ContentMark } from './contentStream';
import { FleetError, type FleetErrorKind } from './errors';

const OK = 200;
const PARTIAL = 206;
const MAX_REASON_LENGTH = 300;
/** Header that our own services set when they can't read the content but otherwise work. */
const ERROR_HEADER = 'fleetwright-error';

const KINDS: Readonly<Record<number, FleetErrorKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'permission',
  404: 'notFound',
  410: 'notFound',
  // The requested offset is beyond the end of the current content.
  416: 'conflict',
  429: 'unavailable',
};

/** Throws an error if a response doesn't contain the requested content. */
export async function requireContent(
  response: IncomingMessage,
  url: URL,
  l10n: Localizer,
): Promise<void> {
  const { statusCode: status = 0 } = response;
  if (status === OK || status === PARTIAL) return;
  const isDamaged = response.headers[ERROR_HEADER] === 'data_loss';
  const kind = isDamaged
    ? 'damaged'
    : (KINDS[status] ?? (status >= 500 ? 'unavailable' : 'internal'));
  const reason = (await readReason(response)) || l10n.t('status {0}', String(status));
  const message = l10n.t("Couldn't read the content from {0}: {1}", url.host, reason);
  throw new FleetError(kind, message, { action: kind === 'unavailable' ? 'retry' : undefined });
}

/**
 * Returns the byte range of a response. @throws FleetError if the range isn't the requested one.
 */
export function contentRange(
  response: IncomingMessage,
  from: ContentMark | undefined,
  url: URL,
  l10n: Localizer,
): { readonly start: number; readonly size: number | undefined } {
  const { 'content-length': length, 'content-range': range = '' } = response.headers;
  if (response.statusCode === OK) {
    return { start: 0, size: length === undefined ? undefined : Number(length) };
  }
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range) ?? [];
  const start = from?.start;
  if (start === undefined || Number(first) !== start) {
    response.destroy();
    throw new FleetError(
      'internal',
      l10n.t('{0} sent a different part of the content than requested.', url.host),
    );
  }
  return { start, size: Number(size) };
}

/** Reads the start of the error message in a response if the message is plain text. */
async function readReason(response: IncomingMessage): Promise<string> {
  const isText = response.headers['content-type']?.startsWith('text/plain') ?? false;
  let text = '';
  try {
    if (isText) {
      response.setEncoding('utf8');
      for await (const chunk of response) {
        text += String(chunk);
        if (text.length >= MAX_REASON_LENGTH) break;
      }
    }
  } catch {
    // Without a message, the status is sufficient.
  }
  response.destroy();
  return text.slice(0, MAX_REASON_LENGTH).trim();
}
