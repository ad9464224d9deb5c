import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { RegistryItem, RegistryVersion } from '../../../core/model/registryItem';
import { formatList, formatNumber, toQuickPickText } from '../../platform/text/displayText';
import { FleetError } from '../../../core/api/errors';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { pickOne } from '../../platform/prompts/prompts';
import { formatPlatform } from '../../platform/text/registryText';

/** Formats an item for a prompt, such as `the module "acme:wheels"`. */
export function formatItemReference({
  type,
  id,
  name,
}: Pick<RegistryItem, 'type' | 'id' | 'name'>): string {
  const shown = displayName({ name, id });
  switch (type) {
    case 'module':
      return vscode.l10n.t('the module "{0}"', shown);
    case 'mlModel':
      return vscode.l10n.t('the model "{0}"', shown);
    case 'trainingScript':
      return vscode.l10n.t('the training script "{0}"', shown);
    default:
      return vscode.l10n.t('the registry item "{0}"', shown);
  }
}

/** Formats an item's users as a sentence; empty if there are none. */
export function describeUsers({
  machinesUsing,
  organizationsUsing,
}: Pick<RegistryItem, 'machinesUsing' | 'organizationsUsing'>): readonly string[] {
  if (machinesUsing === 0) return [];
  const machines = formatNumber(machinesUsing);
  if (organizationsUsing > 1) {
    return [
      vscode.l10n.t(
        '{0} machines in {1} organizations use it.',
        machines,
        formatNumber(organizationsUsing),
      ),
    ];
  }
  return [
    machinesUsing === 1
      ? vscode.l10n.t('1 machine uses it.')
      : vscode.l10n.t('{0} machines use it.', machines),
  ];
}

/**
 * Returns the version from a command's target, or prompts for a version.
 * @param versionArgument a version; menus pass other arguments, which are ignored.
 * @throws FleetError `notFound` if the version was deleted or the item has no versions, and
 *   `canceled`.
 */
export async function chooseVersion(
  item: RegistryItem,
  requestedTarget: RegistryItemTarget | undefined,
  versionArgument: unknown,
  title: string,
): Promise<RegistryVersion> {
  const ofTarget =
    requestedTarget && 'version' in requestedTarget ? requestedTarget.version : undefined;
  const called = [versionArgument, ofTarget].find((version) => typeof version === 'string');
  if (called !== undefined) return versionNamed(item, called);
  if (item.versions.length === 0) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t('"{0}" has no versions yet. Upload one first.', displayName(item)),
    );
  }
  const chosen = await pickOne(
    item.versions.map((version) => ({
      version,
      label: toQuickPickText(version.version),
      description: toQuickPickText(
        formatList(version.files.map(({ platform }) => formatPlatform(platform))),
      ),
    })),
    { title, placeholder: vscode.l10n.t('Select a version of "{0}"', toQuickPickText(item.name)) },
  );
  return chosen.version;
}

function versionNamed(item: RegistryItem, called: string): RegistryVersion {
  const found = item.versions.find(({ version }) => version === called);
  if (found) return found;
  throw new FleetError(
    'notFound',
    vscode.l10n.t('"{0}" no longer has version {1}.', displayName(item), toDisplayText(called)),
  );
}
