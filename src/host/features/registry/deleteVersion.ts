import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { RegistryItem, RegistryVersion } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import { LATEST, resolvePinsWithout } from '../../../core/model/versionPin';
import { confirmDeletion } from '../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../platform/fleetTools';
import { formatNumber } from '../../platform/text/displayText';
import { formatPlatform } from '../../platform/text/registryText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { chooseVersion, formatItemReference } from './itemPrompts';
import { rejectInUse } from './rejectInUse';

/**
 * Deletes a version for all platforms, after the user has typed the version. The service rejects
 * the deletion, and lists the configs, if any config uses the version, or uses the item and this is
 * its only version.
 */
export async function deleteVersion(
  tools: FleetTools,
  requestedTarget: RegistryItemTarget | undefined,
  versionArgument: unknown,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'registryItem',
    requestedTarget,
    'administer',
  );
  const [item, organization] = await Promise.all([
    stores.registry.get(target.itemId, { fresh: true }),
    stores.organizations.get(target.organizationId),
  ]);
  const title = vscode.l10n.t('Delete Registry Version');
  const version = await chooseVersion(item, requestedTarget, versionArgument, title);
  await rejectInUse({
    stores,
    connectionId: target.connectionId,
    item,
    version: version.version,
  });
  await confirmDeletion({
    title,
    name: version.version,
    id: `${displayName(item)} ${version.version}`,
    organization,
    consequences: [
      vscode.l10n.t('It is a version of {0}.', formatItemReference(item)),
      ...describeUsers(item),
      ...describeConsequences(item, version),
    ],
    alsoDeleted: version.files.map(({ platform }) =>
      vscode.l10n.t('the archive for {0}', formatPlatform(platform)),
    ),
  });
  await stores.registry.deleteVersion(item, version.version);
}

/**
 * Formats the number of machines that use any of an item's versions. Only the service can count the
 * machines that use a specific version, because configs can specify versions in different ways.
 */
function describeUsers({ machinesUsing }: RegistryItem): readonly string[] {
  if (machinesUsing === 0) return [];
  return [
    machinesUsing === 1
      ? vscode.l10n.t('1 machine uses one of the versions.')
      : vscode.l10n.t('{0} machines use one of the versions.', formatNumber(machinesUsing)),
  ];
}

/** Returns the version that machines with a `latest` pin will run after the deletion. */
function describeConsequences(
  { type, versions }: RegistryItem,
  { version }: RegistryVersion,
): readonly string[] {
  const names = versions.map((one) => one.version);
  if (names.length === 1) return [vscode.l10n.t('It is the only version.')];
  // Items other than modules have no releases, so `latest` resolves to their newest version.
  const ofOthers = names[0] === version ? [{ pin: LATEST, next: names[1] }] : [];
  const [follower] = type === 'module' ? resolvePinsWithout(version, names) : ofOthers;
  if (!follower) return [];
  const { pin, next } = follower;
  if (next === undefined) {
    return [
      vscode.l10n.t("It is the only release. Machines that use the latest release won't find one."),
    ];
  }
  return [
    pin === LATEST
      ? vscode.l10n.t(
          'Machines that use the latest version will revert to {0}.',
          toDisplayText(next),
        )
      : vscode.l10n.t(
          'Machines that use the latest version, including prereleases, will revert to {0}.',
          toDisplayText(next),
        ),
  ];
}
