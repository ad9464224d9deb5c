import * as vscode from 'vscode';
import { FleetError } from '../../core/api/errors';

/**
 * Lets go on only what runs programs of the workspace, when the person trusts its authors.
 * @throws FleetError `permission` otherwise, with a way to trust them
 */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new FleetError(
    'permission',
    vscode.l10n.t(
      'A build runs commands that the manifest names. This workspace is not trusted, so nothing was run. Trust it first if you know who wrote it.',
    ),
    { action: 'manageTrust' },
  );
}
