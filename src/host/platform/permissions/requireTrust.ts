import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';

/**
 * Checks that the workspace is trusted, before the extension runs the workspace's programs or
 * changes their behavior.
 * @param message message for an untrusted workspace
 * @throws FleetError `permission` with an action to manage workspace trust
 */
export function requireTrust(
  message = getUntrustedBuildMessage(),
  isTrusted = vscode.workspace.isTrusted,
): void {
  if (isTrusted) return;
  throw new FleetError('permission', message, { action: 'manageTrust' });
}

function getUntrustedBuildMessage(): string {
  return vscode.l10n.t(
    'A build runs commands from the manifest. This workspace is not trusted, so nothing was run. Trust it first if you know who wrote it.',
  );
}
