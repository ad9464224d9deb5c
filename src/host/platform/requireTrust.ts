import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';

/**
 * Lets go on only what runs programs of the workspace or changes what they do, when the person trusts its
 * authors.
 * @param refusal what is said otherwise
 * @throws FleetError `permission` with a way to trust them
 */
export function requireTrust(
  refusal = buildRefusal(),
  isTrusted = vscode.workspace.isTrusted,
): void {
  if (isTrusted) return;
  throw new FleetError('permission', refusal, { action: 'manageTrust' });
}

function buildRefusal(): string {
  return vscode.l10n.t(
    'A build runs commands from the manifest. This workspace is not trusted, so nothing was run. Trust it first if you know who wrote it.',
  );
}
