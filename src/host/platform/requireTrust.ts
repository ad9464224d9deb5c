import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';

/**
 * Checks that the workspace is trusted, before running its programs or changing what they do.
 * @param refusal message for an untrusted workspace
 * @throws FleetError `permission` with the action to trust it
 */
export function requireTrust(
  refusal = getUntrustedBuildMessage(),
  isTrusted = vscode.workspace.isTrusted,
): void {
  if (isTrusted) return;
  throw new FleetError('permission', refusal, { action: 'manageTrust' });
}

function getUntrustedBuildMessage(): string {
  return vscode.l10n.t(
    'A build runs commands from the manifest. This workspace is not trusted, so nothing was run. Trust it first if you know who wrote it.',
  );
}
