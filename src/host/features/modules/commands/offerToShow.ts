import * as vscode from 'vscode';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetTools } from '../../../platform/fleetTools';

/** Reports that an action on a module is complete, and offers to reveal the module in the tree. */
export async function offerToShow(
  { reveal }: Pick<FleetTools, 'reveal'>,
  module: RegistryItemTarget,
  message: string,
): Promise<void> {
  const show = vscode.l10n.t('Show');
  if ((await vscode.window.showInformationMessage(message, show)) === show) await reveal(module);
}
