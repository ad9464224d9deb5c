import * as vscode from 'vscode';
import { displayName, displayText } from '../../../core/model/displayText';
import { fragmentId } from '../../../core/model/ids';
import { FleetError } from '../../../core/api/errors';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { addResource } from '../../../core/modules/deploy/modelResource';
import {
  type BroughtModule,
  moduleInFragments,
} from '../../../core/modules/deploy/moduleInFragments';
import {
  deployModule,
  type ModuleDeployment,
  moduleUses,
} from '../../../core/modules/deploy/moduleUse';
import { overrideModule } from '../../../core/modules/deploy/overrideModule';
import { parseConfigText } from '../../../core/documents/resolvedText';
import { isObject } from '../../../core/fragments/configValue';
import { movedPin } from '../../../core/model/versionPin';
import { fileNameOf } from '../../platform/documentUris';
import { partAddress, type PartAddress, showConfig } from '../../platform/partDocument';
import { requireRight } from '../../platform/requireRight';
import { resolvePart } from '../../platform/resolvePart';
import { proposeText, refuseBroken } from '../../platform/reviewedEdit';
import { showStatusMessage } from '../../platform/statusMessage';
import { askFragmentChoice } from './askFragmentChoice';
import { chooseModule, type ChosenModule } from './chooseModule';
import { choosePart, partOfPlace } from './choosePart';
import { chooseResource } from './chooseResource';
import { chooseVersion } from './chooseVersion';
import { deploySubject } from './deploySubject';
import type { DeployTools } from './deployTools';

/**
 * Puts a module on a machine, or another version of it: as an edit of the config that the person
 * reviews and saves, after which a restart is offered.
 * @param given a module, a version of one, its manifest, or the machine or part that gets one.
 * @param wanted the version, asked for when it is not given.
 */
export async function deployToMachine(
  tools: DeployTools,
  given: object | undefined,
  wanted: unknown,
): Promise<void> {
  const { module, place, version } = deploySubject(given, wanted);
  const title = vscode.l10n.t('Deploy Module to Machine');
  const chosen = await chooseModule(tools, module, title, place?.connectionId);
  const target = place
    ? await partOfPlace(tools, place, title)
    : await choosePart(tools, titleOf(chosen.item), chosen.connectionId);
  if (target) await deployToPart(tools, chosen, target, version);
  else await deployToMany(tools, chosen, version);
}

async function deployToMany(
  { commands }: DeployTools,
  { item }: ChosenModule,
  given: string | undefined,
): Promise<void> {
  const version = given ?? (await chooseVersion(item, titleOf(item), undefined));
  await commands.execute('fleetwright.bulk.applyChange', {
    kind: 'deployModule',
    deployment: deploymentOf(item, version),
  });
}

async function deployToPart(
  tools: DeployTools,
  { item, connectionId }: ChosenModule,
  target: PartTarget,
  given: string | undefined,
): Promise<void> {
  await requireRight(tools.sessions.stores(connectionId), target, 'administer');
  refuseForeign(item, target);
  const address = partAddress(target);
  const document = await showConfig(address, tools);
  refuseBroken(document);
  const ids = idsOf(item);
  const [own] = moduleUses(document.getText(), ids);
  const brought = own ? undefined : await broughtBy(tools, address, ids);
  const fragment = brought && (await decideOnFragment(tools, brought, item, target));
  if (fragment === 'opened') return;
  const current = own ?? brought;
  const version = given ?? (await chooseVersion(item, titleOf(item), current?.version));
  const resource = current
    ? undefined
    : await chooseResource(item.models, document.getText(), titleOf(item));
  // Somebody may have typed in it while it was asked.
  refuseBroken(document);
  const deployment = deploymentOf(item, version);
  const before = document.getText();
  const deployed = brought
    ? overridden(before, brought, deployment)
    : deployModule(before, deployment);
  await tools.lastPart.remember(target);
  const module = `${item.id} ${displayText(version)}`;
  if (deployed === before && !document.isDirty) {
    const sentence = vscode.l10n.t(
      '"{0}" is to run {1} already: its config says so.',
      displayName({ name: target.name, id: target.partId }),
      module,
    );
    await tools.restarts.offer(sentence, target);
    return;
  }
  await proposeText(document, resource ? addResource(deployed, resource) : deployed);
  tools.restarts.afterSaving(document, { target, module });
  const file = fileNameOf(document.uri);
  showStatusMessage(vscode.l10n.t('{0} is in {1}. Review it and save.', module, file));
}

/** Says that a fragment brings the module; opens that where the person wants to change it. */
async function decideOnFragment(
  { sessions, commands }: DeployTools,
  brought: BroughtModule,
  item: RegistryItem,
  { connectionId }: PartTarget,
): Promise<'opened' | 'override'> {
  const id = fragmentId(brought.holdingFragment);
  const { name, organizationId } = await sessions.stores(connectionId).fragments.get(id);
  const choice = await askFragmentChoice(brought, displayName({ name, id }), titleOf(item));
  if (choice === 'override') return 'override';
  const fragment = {
    kind: 'fragment',
    connectionId,
    organizationId,
    fragmentId: id,
    name,
  } as const;
  await commands.execute('fleetwright.fragment.openConfig', fragment);
  return 'opened';
}

async function broughtBy(
  { sessions }: DeployTools,
  address: PartAddress,
  ids: readonly string[],
): Promise<BroughtModule | undefined> {
  const resolved = await resolvePart(sessions, address);
  const config = resolved && parseConfigText(resolved.text);
  return isObject(config) ? moduleInFragments(config, resolved?.origins ?? [], ids) : undefined;
}

function overridden(
  text: string,
  { name, version: now, usedFragment }: BroughtModule,
  { version, versions }: ModuleDeployment,
): string {
  const wanted = movedPin(now, version, versions);
  if (wanted === now) return text;
  return overrideModule(text, { fragmentId: usedFragment, name, version: wanted });
}

/** Machines of others cannot run what is private: the service would not hand it to them. */
function refuseForeign({ id, visibility, organizationId }: RegistryItem, target: PartTarget): void {
  if (visibility !== 'private' || organizationId === target.organizationId) return;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'The module "{0}" is private to another organization, so "{1}" cannot run it. Change its visibility first.',
      id,
      target.machineName,
    ),
  );
}

function deploymentOf(item: RegistryItem, version: string): ModuleDeployment {
  return { ids: idsOf(item), version, versions: item.versions.map((one) => one.version) };
}

/** Configs may name a module by the namespace of its organization or by the organization's id. */
function idsOf({ id, namespace, organizationId, name }: RegistryItem): ModuleDeployment['ids'] {
  const owners = namespace === '' ? [organizationId] : [namespace, organizationId];
  return [id, ...owners.map((owner) => `${owner}:${name}`).filter((other) => other !== id)];
}

function titleOf({ id }: RegistryItem): string {
  return vscode.l10n.t('Deploy {0} to Machine', displayText(id));
}
