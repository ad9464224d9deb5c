import * as vscode from 'vscode';
import type { ApiKeyTarget } from '../../../../core/model/accessTarget';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { MachineTarget } from '../../../../core/model/resourceTarget';
import { pickStep } from '../../../platform/pickStep';
import { resolveTarget } from '../../../platform/resolveTarget';
import { copyText } from '../../../platform/statusMessage';
import { apiKeyItem, apiKeyTarget, type ApiKeyTools } from '../apiKeyTools';
import { createApiKey, deleteApiKey, duplicateApiKey, rotateApiKey } from './apiKeyCommands';

interface ActionItem extends vscode.QuickPickItem {
  readonly run: (target: ApiKeyTarget) => Thenable<void>;
}

/**
 * Shows the API keys that have a role on a machine itself, with the available actions for each key.
 */
export async function showMachineApiKeys(
  tools: ApiKeyTools,
  given: MachineTarget | undefined,
): Promise<void> {
  const { target: machine, stores } = await resolveTarget(tools, 'machine', given, 'administer');
  const { connectionId, organizationId, machineId } = machine;
  const name = toDisplayText(machine.name);
  const keyId = tools.sessions.connection(connectionId)?.keyId;
  for (;;) {
    const create = { label: vscode.l10n.t('$(add) Create API Key for This Machine…') };
    const items = stores.apiKeys.listForMachine(organizationId, machineId).then((keys) => [
      ...keys.map((apiKey) => ({
        ...apiKeyItem(apiKey, apiKey.id === keyId),
        target: apiKeyTarget(connectionId, apiKey),
      })),
      { ...create, alwaysShow: true, target: undefined },
    ]);
    const answer = await pickStep(items, {
      title: vscode.l10n.t('API Keys of Machine "{0}"', name),
      placeholder: vscode.l10n.t('Keys with a role on the machine itself'),
    });
    if (answer.back) return;
    const { target } = answer.item;
    if (!target) return createApiKey(tools, machine);
    const action = await pickStep(actions(tools), {
      title: toDisplayText(target.name),
      placeholder: vscode.l10n.t('What do you want to do with this key?'),
      back: true,
    });
    if (!action.back) return action.item.run(target);
  }
}

function actions(tools: ApiKeyTools): readonly ActionItem[] {
  return [
    {
      label: vscode.l10n.t('$(copy) Copy Key ID'),
      run: ({ keyId }) => copyText(keyId),
    },
    {
      label: vscode.l10n.t('$(sync) Rotate'),
      run: (target) => rotateApiKey(tools, target),
    },
    {
      label: vscode.l10n.t('$(add) Duplicate'),
      run: (target) => duplicateApiKey(tools, target),
    },
    {
      label: vscode.l10n.t('$(trash) Delete…'),
      run: (target) => deleteApiKey(tools, target),
    },
  ];
}
