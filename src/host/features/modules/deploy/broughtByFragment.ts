import * as vscode from 'vscode';
import { configAddress } from '../../../../core/documents/documentResource';
import { parseConfigText } from '../../../../core/documents/resolvedText';
import { isObject } from '../../../../core/fragments/configValue';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { type ConnectionId, fragmentId } from '../../../../core/model/ids';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import { movedPin } from '../../../../core/model/versionPin';
import {
  type FragmentModule,
  moduleInFragments,
  nameInOverrides,
  overrideModule,
} from '../../../../core/modules/deploy/moduleInFragments';
import {
  type Deployment,
  deployModule,
  moduleUses,
} from '../../../../core/modules/deploy/moduleUse';
import type { DeployTools } from '../../../platform/deploy/deployTools';
import { notifyReviewNeeded, requireDeployed } from '../../../platform/deploy/notifyReviewNeeded';
import { type PartAddress, showConfig } from '../../../platform/documents/documentUris';
import { requireRight } from '../../../platform/permissions/requireRight';
import { resolvePart } from '../../../platform/documents/resolvePart';
import { proposeText, rejectInvalidConfig } from '../../../platform/documents/proposeText';
import { pickOne } from '../../../platform/prompts/prompts';
import { toQuickPickText } from '../../../platform/text/displayText';

/**
 * Module that a fragment provides to a part, and the user's choice of where to change its version.
 */
export interface FragmentDecision {
  readonly fragmentModule: FragmentModule;
  /** Name of the module in overrides. */
  readonly overrideName: string;
  readonly fragment: FragmentTarget;
  readonly choice: FragmentChoice;
}

/**
 * Prompts for where to change the version if a fragment provides the module; otherwise, returns
 * undefined.
 */
export async function decideOnFragment(
  { sessions }: DeployTools,
  address: PartAddress,
  ids: readonly string[],
  title: string,
): Promise<FragmentDecision | undefined> {
  const resolved = await resolvePart(sessions, address);
  if (!resolved) return undefined;
  const config = parseConfigText(resolved.text);
  const fragmentModule = isObject(config)
    ? moduleInFragments(config, resolved.origins, ids)
    : undefined;
  if (!fragmentModule) return undefined;
  const fragment = await readFragment({ sessions }, address.connectionId, fragmentModule);
  const name = displayName({ name: fragment.name, id: fragment.fragmentId });
  const source = parseConfigText(resolved.source);
  const overrideName = isObject(source)
    ? nameInOverrides(source, resolved.known.lookup, fragmentModule, ids)
    : fragmentModule.name;
  const choice = await pickFragmentChoice(fragmentModule, name, title);
  return { fragmentModule, overrideName, fragment, choice };
}

/**
 * Proposes the version as an edit to the fragment's config, which affects all machines that use the
 * fragment.
 */
export async function deployInFragment(
  tools: DeployTools,
  fragment: FragmentTarget,
  deployment: Deployment,
  module: string,
): Promise<void> {
  const stores = tools.sessions.stores(fragment.connectionId);
  await requireRight(stores, fragment, 'administer');
  const document = await showConfig(configAddress(fragment), tools);
  rejectInvalidConfig(document);
  const before = document.getText();
  const deploy = (text: string): string => deployModule(text, deployment, vscode.l10n);
  const deployed = deploy(before);
  if (deployed === before && !document.isDirty) {
    const read = () => stores.fragments.get(fragment.fragmentId, { fresh: true });
    await requireDeployed(fragment.name, read, deploy);
  }
  const wasOpen = moduleUses(before, deployment.ids).some(({ version }) => version === '');
  await proposeText(document, deployed);
  notifyReviewNeeded(document, module, { wasOpen: wasOpen && deployed !== before });
}

/** Returns the text of a part's config that overrides the version in its fragment. */
export function overridden(
  text: string,
  { fragmentModule, overrideName: name }: Pick<FragmentDecision, 'fragmentModule' | 'overrideName'>,
  { version, versions }: Deployment,
): string {
  const { version: now, usedFragment } = fragmentModule;
  const newPin = movedPin(now, version, versions);
  if (newPin === now) return text;
  const override = { fragmentId: usedFragment, name, version: newPin };
  return overrideModule(text, override, vscode.l10n);
}

async function readFragment(
  { sessions }: Pick<DeployTools, 'sessions'>,
  connectionId: ConnectionId,
  { holdingFragment }: FragmentModule,
): Promise<FragmentTarget> {
  const id = fragmentId(holdingFragment);
  const { name, organizationId } = await sessions.stores(connectionId).fragments.get(id);
  return { kind: 'fragment', connectionId, organizationId, fragmentId: id, name };
}

/**
 * Choice of where to change the version of a module from a fragment: in the fragment, or only for
 * this machine.
 */
type FragmentChoice = 'fragment' | 'override';

/**
 * Explains that a fragment determines the version, and prompts for the config to change. Throws
 * `canceled`.
 */
async function pickFragmentChoice(
  { name, version }: FragmentModule,
  fragmentName: string,
  title: string,
): Promise<FragmentChoice> {
  const items: readonly (vscode.QuickPickItem & { readonly choice: FragmentChoice })[] = [
    {
      label: `$(json) ${vscode.l10n.t('Edit the fragment "{0}"', toQuickPickText(fragmentName))}`,
      detail: vscode.l10n.t('All machines that use it receive your changes'),
      choice: 'fragment',
    },
    {
      label: `$(vm) ${vscode.l10n.t('Change It for This Machine Only')}`,
      detail: vscode.l10n.t("Adds an override to fragment_mods in the machine's config"),
      choice: 'override',
    },
  ];
  const chosen = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t(
      'The fragment "{0}" provides "{1}" in version {2}',
      toDisplayText(fragmentName),
      toDisplayText(name),
      toDisplayText(version === '' ? vscode.l10n.t('latest') : version),
    ),
  });
  return chosen.choice;
}
