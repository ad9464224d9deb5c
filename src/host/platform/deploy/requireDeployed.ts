import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { isDeployed } from '../../../core/modules/deploy/isDeployed';

/**
 * Checks with the service what the editor of a config says: that there is nothing to deploy.
 * @param name whose config it is
 * @throws FleetError `conflict` when the editor is out of date
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
      displayText(name),
    ),
  );
}
