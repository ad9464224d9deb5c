import * as vscode from 'vscode';
import type { RoleTarget } from '../../../core/model/accessTarget';
import { displayText } from '../../../core/model/displayText';
import type { FleetTools } from '../../platform/fleetTools';
import { pickStep } from '../../platform/pickStep';
import { roleText } from '../../platform/roleText';
import { changeRole, removeRole } from './commands/roleCommands';

/**
 * Prompts for an action on a role of a list and performs it; does nothing if the user goes back.
 */
export async function manageRole(tools: FleetTools, role: RoleTarget): Promise<void> {
  const answer = await pickStep(
    [
      {
        label: vscode.l10n.t('$(edit) Change…'),
        detail: vscode.l10n.t('To another role or another resource'),
        run: changeRole,
      },
      {
        label: vscode.l10n.t('$(trash) Remove…'),
        run: removeRole,
      },
    ],
    {
      title: `${displayText(role.holder.name)}: ${roleText(role.role, role.name)}`,
      placeholder: vscode.l10n.t('What do you want to do with this role?'),
      back: true,
    },
  );
  if (!answer.back) await answer.item.run(tools, role);
}
