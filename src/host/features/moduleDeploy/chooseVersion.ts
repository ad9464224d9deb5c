import * as vscode from 'vscode';
import { cancelled, FleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import type { RegistryItem, RegistryVersion } from '../../../core/model/registryItem';
import { LATEST, LATEST_WITH_PRERELEASE, versionOfPin } from '../../../core/model/versionPin';
import { listText } from '../../platform/listText';
import { pickStep } from '../../platform/pickStep';
import { escapeIcons, quickText } from '../../platform/quickText';
import { platformText } from '../../platform/registryText';

interface VersionItem extends vscode.QuickPickItem {
  readonly version: string;
}

/**
 * Asks which version a machine gets, of which Enter takes the newest release, or how it is chosen from then on.
 * @param current what configs say now, for the person to compare. Throws `cancelled`.
 */
export async function chooseVersion(
  { id, versions }: Pick<RegistryItem, 'id' | 'versions'>,
  title: string,
  current: string | undefined,
): Promise<string> {
  if (versions.length === 0) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t('The module "{0}" has no version yet. Upload a build of it first.', id),
    );
  }
  const names = versions.map(({ version }) => version);
  const pins = [
    { pin: LATEST, label: vscode.l10n.t('Always the newest release') },
    { pin: LATEST_WITH_PRERELEASE, label: vscode.l10n.t('Always the newest, prereleases too') },
  ];
  const items: readonly VersionItem[] = [
    ...versions.map((version) => versionItem(version)),
    { label: '', kind: vscode.QuickPickItemKind.Separator, version: '' },
    ...pins.map(({ pin, label }) => {
      const now = versionOfPin(pin, names);
      return {
        label: `$(sync) ${label}`,
        description: pin,
        ...(now !== undefined && { detail: vscode.l10n.t('Now {0}', displayText(now)) }),
        version: pin,
      };
    }),
  ];
  // A prerelease is for those who choose it.
  const usual = versionOfPin(LATEST, names) ?? names[0];
  const answer = await pickStep(items, {
    title,
    placeholder: placeholderOf(current),
    active: ({ version }) => version === usual,
  });
  if (answer.back) throw cancelled();
  return answer.item.version;
}

function placeholderOf(current: string | undefined): string {
  switch (current) {
    case undefined:
      return vscode.l10n.t('The version that is to run');
    case '':
      return vscode.l10n.t('The version that is to run; now it is open: the newest release');
    default:
      return vscode.l10n.t('The version that is to run; now it is {0}', displayText(current));
  }
}

function versionItem({ version, createdAt, files }: RegistryVersion): VersionItem {
  const platforms = files.map(({ platform }) => displayText(platformText(platform)));
  return {
    label: quickText(version),
    description: escapeIcons(
      [
        ...(platforms.length > 0 ? [listText(platforms)] : []),
        ...(createdAt ? [createdAt.toLocaleString()] : []),
      ].join(' · '),
    ),
    version,
  };
}
