import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import type { ModuleModel, RegistryItem } from '../../../../core/model/registryItem';
import type { PartTarget } from '../../../../core/model/resourceTarget';
import {
  addResource,
  createDeployment,
  deployModule,
  findApiSection,
  getModuleIds,
  moduleUses,
  proposedName,
  usesModel,
} from '../../../../core/modules/deploy/moduleUse';
import {
  choosePartOrMany,
  pickVersion,
  resolveTargetPart,
} from '../../../platform/deploy/deployPrompts';
import { deploySubject } from '../../../platform/deploy/deploySubject';
import type { DeployTools } from '../../../platform/deploy/deployTools';
import { openForDeployment, proposeDeployment } from '../../../platform/deploy/proposeDeployment';
import { partAddress } from '../../../platform/documents/documentUris';
import { decideOnFragment, deployInFragment, overridden } from './broughtByFragment';
import { chooseModule, type ChosenModule } from './chooseModule';
import { pickOne } from '../../../platform/prompts/prompts';
import { formatList, toQuickPickText } from '../../../platform/text/displayText';
import { LATEST, LATEST_WITH_PRERELEASE, resolvePin } from '../../../../core/model/versionPin';
import { formatPlatform } from '../../../platform/text/registryText';

/**
 * Deploys a module, or another version of it, to a machine. Deployment is an edit to the config
 * that the user reviews and saves, followed by the offer to restart.
 * @param argument a module, one of its versions, its manifest, or the target machine or part.
 * @param requested version; if absent, the user is prompted for it.
 */
export async function deployToMachine(
  tools: DeployTools,
  argument: object | undefined,
  versionArgument: unknown,
): Promise<void> {
  const {
    item: module,
    target: requestedTarget,
    version,
  } = deploySubject(argument, versionArgument);
  const title = vscode.l10n.t('Deploy Module to Machine');
  const chosen = await chooseModule(tools, module, title, requestedTarget?.connectionId);
  const target = requestedTarget
    ? await resolveTargetPart(tools, requestedTarget, title)
    : await choosePartOrMany(tools, formatTitle(chosen.item), chosen.connectionId);
  if (target) await deployToPart(tools, chosen, target, version);
  else await deployToMany(tools, chosen, version);
}

async function deployToMany(
  { commands }: DeployTools,
  { item }: ChosenModule,
  requestedVersion: string | undefined,
): Promise<void> {
  const version = requestedVersion ?? (await chooseVersion(item, formatTitle(item), undefined));
  await commands.execute('fleetwright.bulk.applyChange', {
    kind: 'deployModule',
    deployment: createDeployment(item, version),
    ...(item.visibility === 'private' && { privateTo: item.organizationId }),
  });
}

async function deployToPart(
  tools: DeployTools,
  { item }: ChosenModule,
  target: PartTarget,
  requestedVersion: string | undefined,
): Promise<void> {
  const document = await openForDeployment(tools, item, target, formatForeign(item, target));
  const title = formatTitle(item);
  const ids = getModuleIds(item);
  const [own] = moduleUses(document.getText(), ids);
  const address = partAddress(target);
  const decision = own ? undefined : await decideOnFragment(tools, address, ids, title);
  const current = own ?? decision?.fragmentModule;
  const version = requestedVersion ?? (await chooseVersion(item, title, current?.version));
  const deployment = createDeployment(item, version);
  const name = `${item.id} ${toDisplayText(version)}`;
  if (decision?.choice === 'fragment') {
    await deployInFragment(tools, decision.fragment, deployment, name);
    return;
  }
  const resource = current
    ? undefined
    : await chooseResource(item.models, document.getText(), title);
  const isOpen = current?.version === '';
  await proposeDeployment(tools, document, target, {
    itemId: item.id,
    name,
    deploy: (text) =>
      decision
        ? overridden(text, decision, deployment)
        : deployModule(text, deployment, vscode.l10n),
    addDependents: resource && ((text) => addResource(text, resource, vscode.l10n)),
    isOpen,
    alreadyDeployedMessage: formatAlreadyDeployed(target, name, isOpen),
  });
}

/** @param isOpen true if the config doesn't specify an exact version */
function formatAlreadyDeployed(
  { name, partId }: PartTarget,
  module: string,
  isOpen: boolean,
): string {
  const part = displayName({ name, id: partId });
  return isOpen
    ? vscode.l10n.t(
        '"{0}" is already configured to run {1}. Its config doesn\'t pin a version, so it gets the latest release.',
        part,
        module,
      )
    : vscode.l10n.t('"{0}" is already configured to run {1}.', part, module);
}

/** Formats the error message for a module that is private to another organization. */
function formatForeign({ id }: RegistryItem, { machineName }: PartTarget): string {
  return vscode.l10n.t(
    'The module "{0}" is private to another organization, so "{1}" can\'t run it. Change its visibility first.',
    id,
    machineName,
  );
}

function formatTitle({ id }: RegistryItem): string {
  return vscode.l10n.t('Deploy {0} to Machine', toDisplayText(id));
}

/** Resource to add to a config, and its model. */
export interface NewResource extends Pick<ModuleModel, 'api' | 'model'> {
  readonly name: string;
}

/**
 * Offers to add a resource that uses one of the module's models, if the config has none. Throws
 * `canceled`.
 * @returns undefined if no resource will be added.
 */
async function chooseResource(
  models: readonly ModuleModel[],
  configText: string,
  title: string,
): Promise<NewResource | undefined> {
  const usable = models.filter(({ api }) => findApiSection(api) !== undefined);
  if (usable.length === 0 || usable.some((model) => usesModel(configText, model))) return undefined;
  const items = [
    { label: vscode.l10n.t('Module Only'), model: undefined },
    ...usable.map((model) => ({
      label: toQuickPickText(model.model),
      description: toQuickPickText(model.api),
      ...(model.description !== undefined && { detail: toQuickPickText(model.description) }),
      model,
    })),
  ];
  const { model } = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t('Add a component or service that uses one of its models?'),
  });
  if (!model) return undefined;
  const { api, model: triplet } = model;
  return { name: proposedName(configText, toDisplayText(api)), api, model: triplet };
}

/**
 * Prompts for the version to deploy; the newest release is the default. The user can also select a
 * rule for future versions. Throws `canceled`.
 * @param current version in the config, for comparison.
 */
async function chooseVersion(
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
    { pin: LATEST, label: vscode.l10n.t('Always the latest release') },
    {
      pin: LATEST_WITH_PRERELEASE,
      label: vscode.l10n.t('Always the latest version, including prereleases'),
    },
  ];
  return pickVersion({
    title,
    versions,
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
      return vscode.l10n.t('Version to deploy (currently not pinned: latest release)');
    default:
      return vscode.l10n.t('Version to deploy (currently {0})', toDisplayText(current));
  }
}
