import * as vscode from 'vscode';
import type { AppContent, AppUse } from '../../../../core/model/registryWire';
import { toDisplayText } from '../../../../core/model/displayText';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { FleetTools } from '../../../platform/fleetTools';
import {
  createUnansweredError,
  type InputProblem,
  pickOne,
} from '../../../platform/prompts/prompts';
import { promptForSteps } from '../../../platform/prompts/promptSteps';
import { toQuickPickText } from '../../../platform/text/displayText';
import { requireConnection } from '../../../platform/sessionProvider';
import { copyText } from '../../../platform/commands/statusMessage';

interface Found {
  readonly publicNamespace: string;
  readonly name: string;
  readonly content: AppContent;
}

/** Prompts for an app by namespace and name and shows its details; selecting a line copies it. */
export async function showAppContent({ sessions }: FleetTools): Promise<void> {
  const active = requireConnection(sessions);
  const { publicNamespace, name, content } = await findApp(sessions.stores(active.id));
  const { value } = await pickOne(toLines(content), {
    title: vscode.l10n.t('App {0}', toDisplayText(`${publicNamespace}/${name}`)),
    placeholder: vscode.l10n.t('Select a line to copy it'),
  });
  await copyText(value);
}

/** Prompts for the namespace and then for the name; the second prompt has a back button. */
async function findApp(stores: FleetStores): Promise<Found> {
  const title = vscode.l10n.t('View Web App Details');
  const likely = await likelyNamespace(stores);
  let content: AppContent | undefined;
  const [publicNamespace = '', name = ''] = await promptForSteps([
    () => ({
      title,
      prompt: vscode.l10n.t('The public namespace of the organization that publishes the app'),
      value: likely,
      placeholder: 'acme-robotics',
      validate: createRequiredValidator(vscode.l10n.t('Enter a namespace.')),
    }),
    ([namespace = '']) => ({
      title,
      prompt: vscode.l10n.t('The app name'),
      validate: createRequiredValidator(vscode.l10n.t('Enter the name of an app.')),
      submit: async (value, signal) => {
        content = await stores.apps.get(namespace, value.trim(), { signal });
      },
    }),
  ]);
  if (!content) throw createUnansweredError();
  return { publicNamespace, name, content };
}

/**
 * Returns the namespace if exactly one organization has a namespace; otherwise, returns an empty
 * string.
 */
async function likelyNamespace(stores: FleetStores): Promise<string> {
  const organizations = await stores.organizations.list();
  const namespaces = organizations
    .map(({ publicNamespace }) => publicNamespace)
    .filter((namespace) => namespace !== '');
  return namespaces.length === 1 ? (namespaces[0] ?? '') : '';
}

function createRequiredValidator(message: string): (value: string) => InputProblem | undefined {
  return (value) => (value.trim() === '' ? { message, severity: 'incomplete' } : undefined);
}

interface Line extends vscode.QuickPickItem {
  readonly value: string;
}

function toLines({ entrypoint, storedAt, use, isPublic }: AppContent): Line[] {
  const line = (icon: string, label: string, value: string): Line => ({
    label: `$(${icon}) ${label}`,
    description: toQuickPickText(value),
    value,
  });
  return [
    line('file-code', vscode.l10n.t('Starts with'), entrypoint),
    line('device-desktop', vscode.l10n.t('Scope'), formatUse(use)),
    line(
      isPublic ? 'globe' : 'lock',
      vscode.l10n.t('Access'),
      isPublic ? vscode.l10n.t('Everyone') : vscode.l10n.t('Users who sign in and have permission'),
    ),
    line(
      'archive',
      vscode.l10n.t('Stored at'),
      storedAt || vscode.l10n.t('Not stored yet. No version of its module has been uploaded.'),
    ),
  ];
}

function formatUse(use: AppUse): string {
  switch (use) {
    case 'oneMachine':
      return vscode.l10n.t('one machine');
    case 'manyMachines':
      return vscode.l10n.t('multiple machines');
    case 'unknown':
      return vscode.l10n.t('not recognized by this version of Fleetwright');
  }
}
