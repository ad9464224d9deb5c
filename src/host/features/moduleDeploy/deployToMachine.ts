import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName, toDisplayText } from '../../../core/model/toDisplayText';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { createDeployment, getModuleIds } from '../../../core/modules/deploy/createDeployment';
import { addResource } from '../../../core/modules/deploy/modelResource';
import { deployModule, moduleUses } from '../../../core/modules/deploy/moduleUse';
import { choosePartOrMany, resolveTargetPart } from '../../platform/deploy/choosePart';
import { deploySubject } from '../../platform/deploy/deploySubject';
import type { DeployTools } from '../../platform/deploy/deployTools';
import { requireDeployed } from '../../platform/deploy/requireDeployed';
import { notifyReviewNeeded } from '../../platform/deploy/notifyReviewNeeded';
import { partAddress, showConfig } from '../../platform/partDocument';
import { requireRight } from '../../platform/requireRight';
import { proposeText, rejectInvalidConfig } from '../../platform/reviewedEdit';
import { decideOnFragment, deployInFragment, overridden } from './broughtByFragment';
import { chooseModule, type ChosenModule } from './chooseModule';
import { chooseResource } from './chooseResource';
import { chooseVersion } from './chooseVersion';

/**
 * Deploys a module, or another version of it, to a machine. Deployment is an edit of the config
 * that the user reviews and saves, followed by the offer to restart.
 * @param given a module, a version of a module, its manifest, or the target machine or part.
 * @param wanted version; prompted for if absent.
 */
export async function deployToMachine(
  tools: DeployTools,
  given: object | undefined,
  wanted: unknown,
): Promise<void> {
  const { item: module, target: place, version } = deploySubject(given, wanted);
  const title = vscode.l10n.t('Deploy Module to Machine');
  const chosen = await chooseModule(tools, module, title, place?.connectionId);
  const target = place
    ? await resolveTargetPart(tools, place, title)
    : await choosePartOrMany(tools, formatTitle(chosen.item), chosen.connectionId);
  if (target) await deployToPart(tools, chosen, target, version);
  else await deployToMany(tools, chosen, version);
}

async function deployToMany(
  { commands }: DeployTools,
  { item }: ChosenModule,
  given: string | undefined,
): Promise<void> {
  const version = given ?? (await chooseVersion(item, formatTitle(item), undefined));
  await commands.execute('fleetwright.bulk.applyChange', {
    kind: 'deployModule',
    deployment: createDeployment(item, version),
    ...(item.visibility === 'private' && { privateTo: item.organizationId }),
  });
}

async function deployToPart(
  tools: DeployTools,
  { item, connectionId }: ChosenModule,
  target: PartTarget,
  given: string | undefined,
): Promise<void> {
  const stores = tools.sessions.stores(connectionId);
  await requireRight(stores, target, 'administer');
  rejectForeign(item, target);
  const address = partAddress(target);
  const document = await showConfig(address, tools);
  rejectInvalidConfig(document);
  const ids = getModuleIds(item);
  const [own] = moduleUses(document.getText(), ids);
  const decision = own ? undefined : await decideOnFragment(tools, address, ids, formatTitle(item));
  const current = own ?? decision?.fragmentModule;
  const version = given ?? (await chooseVersion(item, formatTitle(item), current?.version));
  const deployment = createDeployment(item, version);
  const module = `${item.id} ${toDisplayText(version)}`;
  if (decision?.choice === 'fragment') {
    await deployInFragment(tools, decision.fragment, deployment, module);
    return;
  }
  const resource = current
    ? undefined
    : await chooseResource(item.models, document.getText(), formatTitle(item));
  // The user might have edited the config while the prompt was open.
  rejectInvalidConfig(document);
  const before = document.getText();
  const deploy = (text: string): string =>
    decision ? overridden(text, decision, deployment) : deployModule(text, deployment);
  const deployed = deploy(before);
  const isOpen = current?.version === '';
  await tools.lastPart.remember(target);
  if (deployed === before && !document.isDirty) {
    const read = () => stores.parts.get(target.partId, { fresh: true });
    await requireDeployed(target.name, read, deploy);
    await tools.restarts.offer(formatAlreadyDeployed(target, module, isOpen), target);
    return;
  }
  await proposeText(document, resource ? addResource(deployed, resource, vscode.l10n) : deployed);
  tools.restarts.afterSaving(document, target, { itemId: item.id, name: module, deploy });
  notifyReviewNeeded(document, module, { wasOpen: isOpen && deployed !== before });
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
        '"{0}" is already configured to run {1}. Its config doesn\'t pin a version, so it gets the newest release.',
        part,
        module,
      )
    : vscode.l10n.t('"{0}" is already configured to run {1}.', part, module);
}

/**
 * Throws if the module is private to another organization, because the service wouldn't deliver it
 * to the machine.
 */
function rejectForeign({ id, visibility, organizationId }: RegistryItem, target: PartTarget): void {
  if (visibility !== 'private' || organizationId === target.organizationId) return;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'The module "{0}" is private to another organization, so "{1}" can\'t run it. Change its visibility first.',
      id,
      target.machineName,
    ),
  );
}

function formatTitle({ id }: RegistryItem): string {
  return vscode.l10n.t('Deploy {0} to Machine', toDisplayText(id));
}
