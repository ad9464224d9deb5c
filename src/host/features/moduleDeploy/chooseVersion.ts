import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { RegistryItem } from '../../../core/model/registryItem';
import { LATEST, LATEST_WITH_PRERELEASE, resolvePin } from '../../../core/model/versionPin';
import { pickVersion } from '../../platform/deploy/pickVersion';
import { formatList } from '../../platform/formatList';
import { formatPlatform } from '../../platform/registryText';

/**
 * Prompts for the version to deploy; the newest release is the default. The user can also select a
 * rule for future versions. Throws `canceled`.
 * @param current version in the config, for comparison.
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
  return pickVersion({
    ...{ title, versions },
    placeholder: getPlaceholder(current),
    // Prereleases must be selected explicitly.
    usual: resolvePin(LATEST, names) ?? names[0],
    notes: ({ files }) =>
      files.length > 0
        ? [formatList(files.map(({ platform }) => toDisplayText(formatPlatform(platform))))]
        : [],
    pins: pins.map(({ pin, label }) => ({ pin, label, now: resolvePin(pin, names) })),
  });
}

function getPlaceholder(current: string | undefined): string {
  switch (current) {
    case undefined:
      return vscode.l10n.t('Version to deploy');
    case '':
      return vscode.l10n.t('Version to deploy (currently not pinned: newest release)');
    default:
      return vscode.l10n.t('Version to deploy (currently {0})', toDisplayText(current));
  }
}
