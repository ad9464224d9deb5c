import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { PartTarget, RegistryItemTarget } from '../../../core/model/resourceTarget';
import { LATEST } from '../../../core/model/versionPin';
import { createDeployment, withModule } from '../../../core/modules/deploy/moduleUse';
import {
  addModelService,
  addVisionService,
  createModelDeployment,
  deployPackage,
  type ModelFiles,
  modelFiles,
  packageUses,
  readsPackage,
} from '../../../core/modules/deploy/modelService';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { choosePart, pickVersion, resolveTargetPart } from '../../platform/deploy/deployPrompts';
import { deploySubject } from '../../platform/deploy/deploySubject';
import type { DeployTools } from '../../platform/deploy/deployTools';
import { openForDeployment, proposeDeployment } from '../../platform/deploy/proposeDeployment';
import { partAddress } from '../../platform/documents/documentUris';
import { type ResolvedPart, resolvePart } from '../../platform/documents/resolvePart';
import { chooseUse, type ModelUse } from './chooseUse';
import { parseConfigText } from '../../../core/documents/resolvedText';
import { getMember, isList, isObject } from '../../../core/fragments/configValue';
import { type ConnectionId, fragmentId } from '../../../core/model/ids';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import { requireConnection } from '../../platform/sessionProvider';

/**
 * Deploys a trained model, or another version of it, to a machine. Deployment is an edit to the
 * config that the user reviews and saves, followed by the offer to restart.
 * @param argument a model, a model version, or the target machine or part.
 * @param requested version; if absent, the user is prompted for it.
 */
export async function deployModel(
  tools: DeployTools,
  argument: object | undefined,
  versionArgument: unknown,
): Promise<void> {
  const { item, target: requestedTarget, version } = deploySubject(argument, versionArgument);
  const title = vscode.l10n.t('Deploy Model to Machine');
  const model = item && 'kind' in item ? item : undefined;
  const chosen = await chooseModel(tools, model, title, requestedTarget?.connectionId);
  const target = requestedTarget
    ? await resolveTargetPart(tools, requestedTarget, title)
    : await choosePart(tools, title, chosen.connectionId);
  await deployToPart(tools, chosen, target, version);
}

async function deployToPart(
  tools: DeployTools,
  { item, connectionId }: ChosenModel,
  target: PartTarget,
  requestedVersion: string | undefined,
): Promise<void> {
  const stores = tools.sessions.stores(connectionId);
  const document = await openForDeployment(tools, item, target, formatForeign(item, target));
  const title = vscode.l10n.t('Deploy {0} to Machine', toDisplayText(item.name));
  const { ids } = createModelDeployment(item, '');
  const [current] = packageUses(document.getText(), ids, vscode.l10n);
  const resolved = await resolvePart(tools.sessions, partAddress(target));
  if (resolved && !current) await rejectFragmentProvided(stores, resolved, ids);
  const whole = resolved?.text ?? document.getText();
  const version = requestedVersion ?? (await chooseModelVersion(item, title, current?.version));
  const deployment = createModelDeployment(item, version);
  const isRead = current !== undefined && readsPackage(whole, current.name, vscode.l10n);
  const stored = version === LATEST ? (item.versions[0]?.version ?? '') : version;
  const files = isRead ? undefined : await findModelFiles(stores, item, stored);
  const use = files && (await chooseUse(stores, target, whole, files, title));
  const addServices = (text: string): string => {
    const [inConfig] = packageUses(text, ids, vscode.l10n);
    return use && inConfig ? withUse(text, whole, { name: inConfig.name, files, use }) : text;
  };
  const name = `${toDisplayText(item.name)} ${toDisplayText(version)}`;
  await proposeDeployment(tools, document, target, {
    itemId: item.id,
    name,
    deploy: (text) => deployPackage(text, deployment, whole, vscode.l10n),
    addDependents: use && addServices,
    isOpen: current?.version === '',
    alreadyDeployedMessage: formatAlreadyDeployed(target, name),
  });
}

/** Returns a version's files that machines can read; undefined if there are none. */
async function findModelFiles(
  { registry }: FleetStores,
  item: RegistryItem,
  version: string,
): Promise<ModelFiles | undefined> {
  const { files } = await registry.package(item, version);
  return modelFiles(files, item.modelKind?.framework ?? 'unspecified', item.name);
}

/** Adds services that use a package, and the module that they require, to a config's text. */
function withUse(
  text: string,
  whole: string,
  {
    name,
    files,
    use: { runner, module, withVision },
  }: { readonly name: string; readonly files: ModelFiles; readonly use: ModelUse },
): string {
  const { l10n } = vscode;
  const ran = module ? withModule(text, createDeployment(module, LATEST), whole, l10n) : text;
  const service = { packageName: name, model: runner.model, files };
  const added = addModelService(ran, service, whole, l10n);
  return withVision ? addVisionService(added.text, added.name, whole, l10n) : added.text;
}

function formatAlreadyDeployed({ name, partId }: PartTarget, model: string): string {
  const part = displayName({ name, id: partId });
  return vscode.l10n.t('"{0}" already has {1} in its config.', part, model);
}

/** Formats the error message for a model that is private to another organization. */
function formatForeign({ id }: RegistryItem, { machineName }: PartTarget): string {
  return vscode.l10n.t(
    'The model "{0}" is private to another organization, so "{1}" can\'t use it. Change its visibility first.',
    id,
    machineName,
  );
}

/**
 * @param resolved a part's resolved config
 * @throws FleetError `invalid` if a fragment provides the package; the message explains where to
 *   change it.
 */
async function rejectFragmentProvided(
  { fragments }: Pick<FleetStores, 'fragments'>,
  resolved: ResolvedPart,
  ids: readonly string[],
): Promise<void> {
  const config = parseConfigText(resolved.text);
  const packages = isObject(config) ? getMember(config, 'packages') : undefined;
  if (!isList(packages)) return;
  for (const [index, entry] of packages.entries()) {
    const id = isObject(entry) ? getMember(entry, 'package') : undefined;
    if (typeof id !== 'string' || !ids.includes(id)) continue;
    const origin = resolved.origins.find(({ path }) => path[0] === 'packages' && path[1] === index);
    const holding = origin?.fragments.at(-1);
    if (holding === undefined) continue;
    const fragment = await fragments.get(fragmentId(holding));
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        'The fragment "{0}" provides this model. To change its version for all machines that use the fragment, change the fragment\'s config.',
        displayName(fragment),
      ),
    );
  }
}

/** Registry model in its current state. */
interface ChosenModel {
  readonly connectionId: ConnectionId;
  readonly item: RegistryItem;
}

/**
 * Returns the model to deploy: the clicked model, or a model that the user selects. Reloads the
 * model so that a newly trained version is included. Throws `canceled`.
 * @param connection required connection, if the machine is already known.
 */
async function chooseModel(
  { sessions }: Pick<FleetTools, 'sessions'>,
  requestedTarget: RegistryItemTarget | undefined,
  title: string,
  connection?: ConnectionId,
): Promise<ChosenModel> {
  const { id: connectionId } = requireConnection(
    sessions,
    requestedTarget?.connectionId ?? connection,
  );
  const stores = sessions.stores(connectionId);
  const placeholder = vscode.l10n.t('Select the model to deploy to the machine');
  const id =
    requestedTarget?.itemId ?? (await pickOne(modelItems(stores), { title, placeholder })).id;
  const item = await stores.registry.get(id, { fresh: true });
  if (item.type !== 'mlModel') {
    throw new FleetError('invalid', vscode.l10n.t('"{0}" is not a model.', toDisplayText(item.id)));
  }
  return { connectionId, item };
}

/**
 * Prompts for the version to deploy; the newest version is the default. The user can also choose to
 * always use the newest version. Throws `canceled`.
 * @param current version in the config.
 */
async function chooseModelVersion(
  { id, versions }: Pick<RegistryItem, 'id' | 'versions'>,
  title: string,
  current: string | undefined,
): Promise<string> {
  if (versions.length === 0) {
    const message = vscode.l10n.t('The model "{0}" has no versions yet. Train it first.', id);
    throw new FleetError('notFound', message);
  }
  const placeholder =
    current === undefined
      ? vscode.l10n.t('Select the version to deploy to the machine')
      : vscode.l10n.t(
          'Select the version to deploy to the machine (currently {0})',
          toDisplayText(current),
        );
  return pickVersion({
    title,
    placeholder,
    versions,
    usual: versions[0]?.version,
    notes: () => [],
    pins: [{ pin: LATEST, label: vscode.l10n.t('Always the latest version') }],
  });
}

async function modelItems({ organizations, registry }: FleetStores) {
  const all = await organizations.list();
  const lists = await Promise.all(
    all.map(async ({ id, name }) => ({ name, items: await registry.list(id) })),
  );
  const items = lists.flatMap(({ name, items }) =>
    items
      .filter(({ type }) => type === 'mlModel')
      .map((item) => ({
        label: toQuickPickText(item.name),
        description: toQuickPickText(name),
        iconPath: new vscode.ThemeIcon('symbol-misc'),
        id: item.id,
      })),
  );
  if (items.length > 0) return items;
  const message = vscode.l10n.t('There are no models yet. Train one on a dataset first.');
  throw new FleetError('notFound', message);
}
