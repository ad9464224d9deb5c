import { safeSegment } from '../../../core/documents/documentAddress';

/** Returns the name of a log file for these parts, without its extension. */
export function exportName(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const rest = others.length > 0 ? `-and-${others.length}-more` : '';
  return `logs-${safeSegment(first).replaceAll(' ', '-')}${rest}`;
}
