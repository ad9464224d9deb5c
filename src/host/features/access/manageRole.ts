import * as vscode from 'vscode';
import type { RoleTarget } from '../../../core/model/resourceTarget';
import { toDisplayText } from '../../../core/model/displayText';
import type { FleetTools } from '../../platform/fleetTools';
import { pickStep } from '../../platform/prompts/promptSteps';
import { formatRole } from '../../platform/permissions/formatRole';
import { changeRole, removeRole } from './commands/roleCommands';

/**
 * Prompts for an action on a role from a list and runs the action. Does nothing if the user goes
 * back.
 */
export async function manageRole(tools: FleetTools, role: RoleTarget): Promise<void> {
  const answer = await pickStep(
    [
      {
        label: vscode.l10n.t('$(edit) Change…'),
        detail: vscode.l10n.t('Select another role or another resource'),
        run: changeRole,
      },
      {
        label: vscode.l10n.t('$(trash) Remove'),
        run: removeRole,
      },
    ],
    {
      title: `${toDisplayText(role.holder.name)}: ${formatRole(role.role, role.name)}`,
      placeholder: vscode.l10n.t('What do you want to do with this role?'),
      back: true,
    },
  );
  if (!answer.back) await answer.item.run(tools, role);
}
