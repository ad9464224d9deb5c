import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import type { ContentStream } from '../../api/contentStream';

/** Maximum size of content that is read into memory as a whole. */
export const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Throws if the content of an item is too large to display. */
export function requireShowable(sizeBytes: number, l10n = englishLocalizer): void {
  if (sizeBytes <= MAX_WHOLE_BYTES) return;
  const size = Math.round(sizeBytes / 1024 / 1024).toLocaleString('en-US');
  throw new FleetError(
    'unsupported',
    l10n.t(
      "The content is {0} MiB. Content larger than 256 MiB can't be shown here. Download it instead.",
      size,
    ),
  );
}

/** Minimum number of bytes between two progress reports. */
const REPORTED_BYTES = 512 * 1024;

/**
 * Reads the complete content of an item. @param report called periodically with the number of
 * received bytes. Throws `FleetError`; `unsupported` if the content is too large to display.
 */
export async function wholeContent(
  { chunks, size }: ContentStream,
  report: (bytes: number) => void = () => undefined,
  l10n = englishLocalizer,
): Promise<Uint8Array<ArrayBuffer>> {
  requireShowable(size ?? 0, l10n);
  const parts: Uint8Array[] = [];
  let [length, reported] = [0, 0];
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    requireShowable(length, l10n);
    if (length - reported < REPORTED_BYTES) continue;
    reported = length;
    report(length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
