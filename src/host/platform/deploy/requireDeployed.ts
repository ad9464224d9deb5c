import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { isDeployed } from '../../../core/modules/deploy/isDeployed';

/**
 * Checks the state on the service if the config in the editor shows that no change is needed.
 * @param name name of the part
 * @throws FleetError `conflict` if the editor is outdated
 */
export async function requireDeployed(
  name: string,
  ...[read, deploy]: Parameters<typeof isDeployed>
): Promise<void> {
  if (await isDeployed(read, deploy)) return;
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      'Another user changed the config of "{0}", and the editor shows an older version. Run the command Revert File, and then deploy again.',
      toDisplayText(name),
    ),
  );
}
