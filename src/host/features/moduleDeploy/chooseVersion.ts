import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import type { RegistryItem } from '../../../core/model/registryItem';
import { LATEST, LATEST_WITH_PRERELEASE, versionOfPin } from '../../../core/model/versionPin';
import { askVersion } from '../../platform/deploy/askVersion';
import { listText } from '../../platform/listText';
import { platformText } from '../../platform/registryText';

/**
 * Prompts for the version to deploy; the default is the newest release. The user can also select
 * how the version is chosen in the future.
 * @param current version in the config, for comparison. Throws `canceled`.
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
    {
      pin: LATEST_WITH_PRERELEASE,
      label: vscode.l10n.t('Always the newest version, including prereleases'),
    },
  ];
  return askVersion({
    ...{ title, versions },
    placeholder: placeholderOf(current),
    // Prereleases must be selected explicitly.
    usual: versionOfPin(LATEST, names) ?? names[0],
    notes: ({ files }) =>
      files.length > 0
        ? [listText(files.map(({ platform }) => displayText(platformText(platform))))]
        : [],
    pins: pins.map(({ pin, label }) => ({ pin, label, now: versionOfPin(pin, names) })),
  });
}

function placeholderOf(current: string | undefined): string {
  switch (current) {
    case undefined:
      return vscode.l10n.t('Version to deploy');
    case '':
      return vscode.l10n.t('Version to deploy (currently not pinned: newest release)');
    default:
      return vscode.l10n.t('Version to deploy (currently {0})', displayText(current));
  }
}
