import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import type { RegistryItemId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { TrainingScriptVersion } from '../../../core/model/trainingJob';
import { promptForItemId } from '../../platform/prompts/promptForItemId';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import { formatVisibility } from '../../platform/text/registryText';
import type { SubmitTarget } from './submitTarget';

interface ScriptItem extends vscode.QuickPickItem {
  readonly id: () => Promise<RegistryItemId>;
}

/**
 * Prompts for a training script: one of the organization's scripts, a public script, or any script
 * ID. Throws `canceled`.
 */
export async function pickScript(
  submitTarget: SubmitTarget,
  title: string,
): Promise<RegistryItemId> {
  const placeholder = vscode.l10n.t('Select the training script to run');
  return (await pickOne(scriptItems(submitTarget, title), { title, placeholder })).id();
}

/**
 * Returns a script with one of its versions, by default the newest. Throws `notFound` if the script
 * has no versions, and `invalid` for an item of another type.
 */
export async function scriptVersion(
  submitTarget: SubmitTarget,
  id: RegistryItemId,
  requestedVersion?: string,
): Promise<TrainingScriptVersion> {
  const versions = await listVersions(submitTarget, id);
  return { itemId: id, version: versions.find((one) => one === requestedVersion) ?? versions[0] };
}

/**
 * Prompts for a script version. Throws `canceled`, and the same errors as {@link scriptVersion}.
 */
export async function pickScriptVersion(
  submitTarget: SubmitTarget,
  { itemId, version: current }: TrainingScriptVersion,
): Promise<string> {
  const versions = await listVersions(submitTarget, itemId);
  const items = versions.map((version) => ({
    label: toQuickPickText(version),
    ...(version === current && { description: vscode.l10n.t('selected') }),
    version,
  }));
  const title = vscode.l10n.t('Training Script Version');
  const placeholder = vscode.l10n.t('Select the version to run');
  return (await pickOne(items, { title, placeholder })).version;
}

async function listVersions(
  { stores }: SubmitTarget,
  id: RegistryItemId,
): Promise<readonly [string, ...string[]]> {
  const { type, versions } = await stores.registry.get(id, { fresh: true });
  if (type !== 'trainingScript') {
    throw new FleetError('invalid', vscode.l10n.t('"{0}" is not a training script.', id));
  }
  const [newest, ...older] = versions.map(({ version }) => version);
  if (newest !== undefined) return [newest, ...older];
  const message = vscode.l10n.t(
    'The training script "{0}" has no versions yet. Upload one first.',
    id,
  );
  throw new FleetError('notFound', message);
}

async function scriptItems(
  { target, stores: { registry } }: SubmitTarget,
  title: string,
): Promise<readonly ScriptItem[]> {
  const [own, published] = await Promise.all([
    registry.list(target.organizationId),
    registry.searchAll({ types: ['trainingScript'], visibilities: ['public'] }),
  ]);
  const isScript = ({ type }: RegistryItem): boolean => type === 'trainingScript';
  const others = published.filter(({ organizationId }) => organizationId !== target.organizationId);
  return [
    ...[...own, ...others].filter(isScript).map(scriptItem),
    {
      label: `$(link) ${vscode.l10n.t('Enter Training Script ID…')}`,
      alwaysShow: true,
      id: () =>
        promptForItemId(title, vscode.l10n.t('The training script ID, such as acme:defects')),
    },
  ];
}

function scriptItem({ id, name, namespace, visibility, isDraft }: RegistryItem): ScriptItem {
  const draft = isDraft === true ? [vscode.l10n.t('draft')] : [];
  const details = [toDisplayText(namespace), formatVisibility(visibility), ...draft];
  return {
    label: toQuickPickText(name),
    description: toQuickPickText(details.filter((word) => word !== '').join(' · ')),
    iconPath: new vscode.ThemeIcon('file-code'),
    id: () => Promise.resolve(id),
  };
}
