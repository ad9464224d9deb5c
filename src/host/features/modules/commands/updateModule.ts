import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { isTargetOf, registryItemTarget } from '../../../../core/model/resourceTarget';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { FragmentVisibility, KnownVisibility } from '../../../../core/model/entities';
import {
  changesSame,
  createModuleUpdate,
  diffModule,
  type ModuleChange,
} from '../../../../core/modules/moduleUpdate';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { ModuleUpdate } from '../../../../core/stores/registryRequests';
import {
  createModuleFileReader,
  requireValidManifest,
} from '../../../platform/modules/manifestErrors';
import type { FleetTools } from '../../../platform/fleetTools';
import { getModuleFolder, resolveManifest } from '../../../platform/modules/moduleManifests';
import { confirm, pickOne } from '../../../platform/prompts/prompts';
import { formatVisibility } from '../../../platform/text/registryText';
import { registeredModule } from '../../../platform/modules/registeredModule';
import { requireConnection } from '../../../platform/sessionProvider';
import { requireRight } from '../../../platform/permissions/requireRight';
import { formatNames, formatNumber } from '../../../platform/text/displayText';
import { offerToShow } from './offerToShow';

/**
 * Updates a module's registry entry from its manifest, after showing the changes. Leaves the
 * visibility unchanged unless the user decides otherwise. Offers to register a module that isn't
 * registered yet. Throws `invalid` if the manifest has errors, `conflict` if the registry entry was
 * changed while the prompt was open, and `canceled`.
 *
 * @param argument a manifest, or a registry module that a manifest in the workspace describes
 */
export async function updateModule(tools: FleetTools, argument: object | undefined): Promise<void> {
  const requested = await resolveManifest(argument, vscode.l10n.t('Update Module Metadata'));
  const sentences = {
    failure: vscode.l10n.t(
      "Can't update the module from {0}.",
      toDisplayText(vscode.workspace.asRelativePath(requested.uri)),
    ),
    outcome: vscode.l10n.t('Nothing was updated.'),
  };
  requireValidManifest(requested, sentences, { idOptional: true });
  const clicked = isTargetOf('registryItem', argument) ? argument : undefined;
  const { id: connectionId } = requireConnection(tools.sessions, clicked?.connectionId);
  const stores = tools.sessions.stores(connectionId);
  const { item: current, file } = await registeredModule(tools, connectionId, requested);
  const target = registryItemTarget(connectionId, current);
  await requireRight(stores, target, 'administer');
  const proposed = await createModuleUpdate(file.manifest, current, {
    readSibling: createModuleFileReader(getModuleFolder(file.uri)),
    l10n: vscode.l10n,
  });
  const visibility = await pickVisibility(current, proposed.visibility, file.manifest.visibility);
  const update = { ...proposed, visibility };
  const changes = diffModule(current, update).map(describeModuleChange);
  const name = toDisplayText(current.id);
  if (changes.length === 0) {
    await rejectChanged(stores, current, update);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The registry already matches the manifest of {0}. Nothing to update.', name),
    );
    return;
  }
  const { name: organization } = await stores.organizations.get(current.organizationId);
  await confirm(
    vscode.l10n.t('Update {0} of {1}?', name, toDisplayText(organization)),
    [...changes, ...consequences(current, update)].join('\n'),
    vscode.l10n.t('Update'),
  );
  await rejectChanged(stores, current, update);
  await stores.registry.updateModule(current, update);
  void offerToShow(tools, target, vscode.l10n.t('Updated {0}.', name));
}

async function pickVisibility(
  { id, organizationsUsing }: RegistryItem,
  current: KnownVisibility,
  requested: KnownVisibility | undefined,
): Promise<KnownVisibility> {
  if (requested === undefined || requested === current) return current;
  const items: (vscode.QuickPickItem & { readonly visibility: KnownVisibility })[] = [
    {
      label: vscode.l10n.t('Keep {0}', formatVisibility(current)),
      detail: vscode.l10n.t('Ignore the manifest and keep the current visibility'),
      visibility: current,
    },
    {
      label: vscode.l10n.t('Make {0}', formatVisibility(requested)),
      detail:
        requested === 'private'
          ? vscode.l10n.t(
              'Other organizations lose access. Organizations that use it now: {0}',
              formatNumber(organizationsUsing),
            )
          : vscode.l10n.t('Anyone in any organization can see and use it'),
      visibility: requested,
    },
  ];
  const placeholder = vscode.l10n.t(
    '{0} is {1} in the registry, but {2} in the manifest',
    toDisplayText(id),
    formatVisibility(current),
    formatVisibility(requested),
  );
  return (await pickOne(items, { title: vscode.l10n.t('Update Module Metadata'), placeholder }))
    .visibility;
}

function consequences(current: RegistryItem, { visibility }: ModuleUpdate): readonly string[] {
  if (visibility === current.visibility) return [];
  return visibility === 'private'
    ? [vscode.l10n.t('Other organizations will no longer be able to see or use it.')]
    : [vscode.l10n.t('Anyone can see and use it.')];
}

/**
 * Throws if the registry entry has changed since the user confirmed the update. The wire protocol
 * has no conditional updates, so the client compares the two states.
 */
async function rejectChanged(
  { registry }: FleetStores,
  shown: RegistryItem,
  update: ModuleUpdate,
): Promise<void> {
  const now = await registry.get(shown.id, { fresh: true });
  if (changesSame(shown, now, update)) return;
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      '{0} was changed in the registry in the meantime, so nothing was updated. Review the changes again.',
      toDisplayText(shown.id),
    ),
    { action: 'retry' },
  );
}

const MAX_VALUE_LENGTH = 80;

/** Formats a change to a module's registry entry on one line. */
function describeModuleChange(change: ModuleChange): string {
  if ('added' in change) return describeListChange(change);
  const { field, before, after } = change;
  const name = fieldName(field);
  if (field === 'markdown') {
    return vscode.l10n.t('{0}: {1} lines → {2}', name, countLines(before), countLines(after));
  }
  const [from, to] = [before, after].map((value) => formatValue(field, value));
  return vscode.l10n.t('{0}: {1} → {2}', name, from ?? '', to ?? '');
}

function describeListChange({
  field,
  added,
  removed,
  changed,
}: Extract<ModuleChange, { readonly added: unknown }>): string {
  const parts = [
    ...(added.length > 0 ? [vscode.l10n.t('new: {0}', formatNames(added))] : []),
    ...(changed.length > 0 ? [vscode.l10n.t('changed: {0}', formatNames(changed))] : []),
    ...(removed.length > 0 ? [vscode.l10n.t('removed: {0}', formatNames(removed))] : []),
  ];
  return vscode.l10n.t('{0}: {1}', fieldName(field), parts.join('; '));
}

function fieldName(field: ModuleChange['field']): string {
  switch (field) {
    case 'visibility':
      return vscode.l10n.t('Visibility');
    case 'url':
      return vscode.l10n.t('Website');
    case 'description':
      return vscode.l10n.t('Description');
    case 'entrypoint':
      return vscode.l10n.t('Entrypoint');
    case 'firstRun':
      return vscode.l10n.t('First run');
    case 'markdown':
      return vscode.l10n.t('Long description');
    case 'models':
      return vscode.l10n.t('Models');
    case 'apps':
      return vscode.l10n.t('Apps');
  }
}

function formatValue(field: ModuleChange['field'], value: string): string {
  if (field === 'visibility') return formatVisibility(value as FragmentVisibility);
  return value === ''
    ? vscode.l10n.t('nothing')
    : vscode.l10n.t('"{0}"', toDisplayText(value, MAX_VALUE_LENGTH));
}

function countLines(text: string): number {
  return text === '' ? 0 : text.trimEnd().split('\n').length;
}
