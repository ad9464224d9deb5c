import * as vscode from 'vscode';
import type { FleetError } from '../../core/api/errors';
import { toDisplayText } from '../../core/model/displayText';

/** Maximum number of characters of a service's message. */
const MAX_LENGTH = 2_000;

/**
 * Returns information for reporting a failed call: the service's own message and the request ID in
 * its log. Returns undefined if the error has neither.
 */
export function formatErrorDetails({ serviceMessage, requestId }: FleetError): string | undefined {
  const lines: string[] = [];
  if (serviceMessage !== undefined) {
    const text = toDisplayText(serviceMessage, MAX_LENGTH);
    lines.push(vscode.l10n.t('The service responded: {0}', text));
  }
  if (requestId !== undefined) lines.push(vscode.l10n.t('Request ID: {0}', requestId));
  return lines.length === 0 ? undefined : lines.join('\n');
}
