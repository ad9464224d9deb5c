import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName, toDisplayText } from '../../../core/model/toDisplayText';
import type { RegistryItem, RegistryVersion } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { formatList } from '../../platform/formatList';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { formatPlatform } from '../../platform/registryText';

/**
 * Returns the version of a command's target, or prompts for a version.
 * @param wanted a version; menus pass other arguments, which are ignored.
 * @throws FleetError `notFound` if the version was deleted or the item has no versions, and
 *   `canceled`.
 */
export async function chooseVersion(
  item: RegistryItem,
  given: RegistryItemTarget | undefined,
  wanted: unknown,
  title: string,
): Promise<RegistryVersion> {
  const ofTarget = given && 'version' in given ? given.version : undefined;
  const called = [wanted, ofTarget].find((version) => typeof version === 'string');
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
